/** Which files the user has read: those whose diff is still what it was when they were marked. */
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { hasChanges } from './commented-files.ts'
import type { Changes, DiffState } from './state.ts'

type Marked = { view: Pick<DiffState, 'reads'>; changes: Pick<Changes, 'digests'> }

/** A mark of a file that is not loaded yet does not count: the file may have changed since. */
export function isRead({ view: { reads }, changes: { digests } }: Marked, { file, path }: FileChange): boolean {
  const mark = reads.get(path)
  return mark !== undefined && mark === digests.get(file)
}

/** The number of files that are not read. */
export function leftOf(marked: Marked, files: readonly FileChange[]): number {
  return marked.view.reads.size === 0
    ? files.length
    : files.reduce((left, change) => (isRead(marked, change) ? left : left + 1), 0)
}

/** The next file that is not read, after the one with this index; from the beginning, if there is none behind it. Null if all are read. */
export function nextUnread(marked: Marked, files: readonly FileChange[], index: number): number | null {
  for (let step = 1; step <= files.length; step += 1) {
    const at = (index + step) % files.length
    const change = files[at]
    if (change && hasChanges(change) && !isRead(marked, change)) return at
  }
  return null
}

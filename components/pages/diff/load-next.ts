/** Which diffs are needed next, so that they are there when a key asks for them. */
import type { FileChange } from '../../../src/tools/diff/change.ts'
import type { DiffReading } from './reading.ts'

/** Files around the current one that are loaded before anybody looks at them, in one go: each question to git takes time from the keys. */
const AHEAD = 16
const BEHIND = 4
/** As soon as one of so many is not loaded. */
const SOON = 3

/** The first ones first: those near the current one, those that may count as read, and with a search all others. */
export function filesToLoad(
  { files, selected, view }: DiffReading,
  isKnown: (change: FileChange) => boolean,
): FileChange[] {
  const around = (ahead: number, behind: number): FileChange[] => [
    ...files.slice(selected, selected + ahead),
    ...files.slice(Math.max(0, selected - behind), selected),
  ]
  const isNear = around(SOON, 1).every(change => isKnown(change) || isTooLong(change))
  const near = isNear ? [] : around(AHEAD, BEHIND)
  const marked = view.reads.size === 0 ? [] : files.filter(({ path }) => view.reads.has(path))
  const searched = view.search ? [...files.slice(selected), ...files.slice(0, selected)] : []
  return [...new Set([...near, ...marked, ...searched])].filter(change => !isTooLong(change))
}

/** Changed lines of a file that is loaded in the background. */
const LONGEST = 100_000

/** Whether reading its diff would hold up a key: it is done only for the file that is shown. */
export function isTooLong({ added, removed }: FileChange): boolean {
  return (added ?? 0) + (removed ?? 0) > LONGEST
}

/** Marks files as read, in the file beside the session that all programs share. */
import type { ReadMark } from '../../../src/review/comment.ts'
import { counted } from '../../../src/text/counted.ts'
import { subjectKey } from '../../../src/tools/diff/subject.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { hasChanges } from './commented-files.ts'
import type { DiffLoader } from './loading.ts'
import type { DiffReading } from './reading.ts'
import type { FeatureParts } from './feature.ts'
import { isRead, nextUnread } from './seen.ts'
import { startOfHunk } from './state.ts'

export type SeenWork = {
  opened: () => void
  closed: () => void
  /** Marks the file, or all files of the folder, and goes on; takes the marks away if all have one. */
  toggle: () => Promise<void>
}

export function createSeenWork({ page, parts, request, undos, isOpen }: FeatureParts, loader: DiffLoader): SeenWork {
  const { context } = parts
  const subject = subjectKey(request.subject)
  let unfollow: (() => void) | null = null
  return {
    opened() {
      const review = context.review()
      if (!review) return
      unfollow = review.onChange(show)
      show()
    },
    closed: () => unfollow?.(),
    toggle,
  }

  /** Shows the marks as they are now. */
  function show(): void {
    if (!isOpen()) return
    const marks = context.review()?.reads() ?? []
    const reads = new Map(marks.flatMap(mark => (mark.subject === subject ? [[mark.path, mark.digest] as const] : [])))
    page.set({ ...page.state(), reads })
    void loader.work()
  }

  async function toggle(): Promise<void> {
    const chosen = chosenFiles(page.reading()).filter(hasChanges)
    if (chosen.length === 0) return context.hint('There is no file to mark as read here.')
    if (!(await loader.loadAll(chosen)) || !isOpen()) return
    const digests = loader.digests()
    const state = page.state()
    page.set({ ...state, changes: { ...state.changes, digests } })
    const reading = page.reading()
    const isOff = chosen.every(change => isRead(reading, change))
    const changed = isOff ? chosen : chosen.filter(change => !isRead(reading, change))
    const before = reading.view.reads
    mark(changed.map(({ path, file }) => [path, isOff ? '' : (digests.get(file) ?? '')]))
    undos.push(() => {
      mark(changed.map(({ path }) => [path, before.get(path) ?? '']))
      const names = changed.length === 1 ? (changed[0]?.path ?? '') : counted(changed.length, 'file')
      return isOff ? `${names} counts as read again.` : `${names} no longer counts as read.`
    })
    if (!isOff) showNext(page.reading())
  }

  function mark(marks: readonly (readonly [path: string, digest: string])[]): void {
    const review = context.review()
    const changedAt = context.now()
    for (const [path, digest] of marks) review?.mark({ subject, path, digest, changedAt } satisfies ReadMark)
    show()
  }

  /** Shows or selects the next file that is not read; without one, the list. */
  function showNext(reading: DiffReading): void {
    const { view, files, selected, shown } = reading
    const index = nextUnread(reading, files, selected)
    const next = index === null ? undefined : files[index]
    if (index === null || !next) {
      const all = files.filter(hasChanges).length
      context.hint(all === 1 ? 'The file is read.' : `All ${all} files are read.`)
      return page.set({ ...view, file: null, anchor: null })
    }
    const selecting = { ...view, selected: { index, file: next.file }, tree: { ...view.tree, folder: null } }
    page.set(shown ? { ...selecting, file: next.file, ...startOfHunk(0) } : selecting)
  }
}

/** The file that is shown or selected, or those of the selected folder. */
function chosenFiles({ shown, list, listRow }: DiffReading): readonly FileChange[] {
  if (shown) return [shown]
  const row = list[listRow]
  if (row?.kind === 'folder') return row.folder.files
  return row?.kind === 'file' ? [row.change] : []
}

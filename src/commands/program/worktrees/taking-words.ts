/** What taking a worktree would do, and has done, in words. */
import { folderLabel } from '../../../platform/project.ts'
import { oneLine, sanitize } from '../../../text/sanitize.ts'
import type { TakePreview } from '../../../worktrees/preview.ts'
import type { Worktree } from '../../../worktrees/record.ts'
import type { TakenWorktree } from '../../../worktrees/take.ts'
import { changedText } from '../../../app/worktrees/turn-notice.ts'

/** The maximum of files that are named before the question. */
const MOST_NAMED = 20

const past = { merge: 'Merged', rebase: 'Rebased', pick: 'Cherry-picked' } as const

const shown = (path: string): string => oneLine(sanitize(path))

export function named(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return paths.slice(0, 3).map(shown).join(', ') + more
}

export function previewTitle({ branch }: Worktree, { way, into }: TakePreview): string {
  const target = into === null ? 'your commit, without a branch' : into
  const title = {
    merge: `Merging ${branch} into ${target}`,
    rebase: `The commits of ${branch} on top of ${target}`,
    pick: `The changes of ${branch} in your files, uncommitted`,
  }[way]
  return shown(title)
}

/** A row for each file, up to a number. */
export function previewRows({ files, conflicts, overlap }: TakePreview): string[] {
  const rows = files.slice(0, MOST_NAMED).map(({ path, kind, added, removed }) => {
    const lines = added === null || removed === null ? 'binary' : `+${added} -${removed}`
    const note = overlap.includes(path) ? ', changed by you too' : conflicts.includes(path) ? ', conflict' : ''
    return `${{ new: 'adds', changed: 'changes', deleted: 'deletes' }[kind]} ${shown(path)} (${lines}${note})`
  })
  const unlisted = conflicts.filter(path => !files.some(file => file.path === path))
  const extra = unlisted.map(path => `leaves ${shown(path)} (conflict)`)
  const more = files.length > MOST_NAMED ? [`and ${files.length - MOST_NAMED} more`] : []
  return [...rows, ...more, ...extra]
}

/** What has become of it, and how to undo it; '' if that takes nothing. */
export function takenWords(
  { from }: Worktree,
  { way, into, files }: TakePreview,
  { commit, before }: TakenWorktree,
  home: string,
): { text: string; undo: string } {
  const text = `${past[way]}: ${changedText(files)}`
  if (commit === null) return { text: `${text}. The changes are staged, not committed.`, undo: '' }
  const where = into === null ? 'No branch is checked out there' : `${into} is at ${commit.slice(0, 9)}`
  return {
    text: `${text}. ${where}.`,
    undo: `Undo it in ${folderLabel(from, home)}: git reset --keep ${before.slice(0, 12)}`,
  }
}

/** What a conversation of the board has changed, and the merge of its worktree. */
import { isAbsolute } from 'node:path'
import type { Host } from '../../../app/context/host.ts'
import type { BoardPageRequest, DiffRequest, OrWhy } from '../../../app/pages/pages.ts'
import type { BoardRow } from '../../../fleet/board-row.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import { sentence } from '../../../text/sentence.ts'

type DiffParts = { host: Pick<Host, 'env'>; worktrees: Worktrees | undefined; isDemo: boolean }

/** Of a worktree since its base, of another folder since its last commit. */
export async function diffOfRow(row: BoardRow, { host, worktrees, isDemo }: DiffParts): Promise<OrWhy<DiffRequest>> {
  const { folder } = row
  if (isDemo || !isAbsolute(folder)) return { ok: false, why: 'Its folder cannot be compared from here.' }
  const worktree = worktrees?.at(folder)
  if (worktrees && worktree) {
    const collect = () => worktrees.changes(worktrees.at(folder) ?? worktree)
    return { ok: true, value: { subject: { kind: 'worktree', name: worktree.branch }, collect } }
  }
  const { changesOfFolder } = await import('../../../app/changes/diff-subjects.ts')
  return changesOfFolder(folder, host.env)
}

type MergeParts = { worktrees: Worktrees | undefined; home: string }

/** Only a merge without conflicts can be said yes to here: all else needs the questions of `/worktree` in its conversation. */
export async function mergeOfRow(
  { folder }: BoardRow,
  { worktrees, home }: MergeParts,
): ReturnType<BoardPageRequest['merge']> {
  const worktree = worktrees?.at(folder)
  if (!worktrees || !worktree) return { ok: false, why: 'It works in no worktree: there is nothing to merge.' }
  const answer = await worktrees.preview(worktree, 'merge')
  if (!answer.ok) return { ok: false, why: sentence(`Nothing was changed: ${answer.why}`) }
  const preview = answer.value
  const { named, previewRows, previewTitle, takenWords } = await import('../worktrees/taking-words.ts')
  if (preview.overlap.length > 0)
    return {
      ok: false,
      why: `Nothing was changed: you have changed ${named(preview.overlap)}, too. Commit or stash that first.`,
    }
  if (preview.conflicts.length > 0)
    return { ok: false, why: `There are conflicts in ${named(preview.conflicts)}.`, isAskedThere: true }
  const run = async (): Promise<string> => {
    const taken = await worktrees.take(worktree, preview)
    if (!taken.ok) return sentence(`Nothing was changed: ${taken.why}`)
    const { text, undo } = takenWords(worktree, preview, taken.value, home)
    return `${text} ${undo}`.trim()
  }
  return { ok: true, value: { title: `${previewTitle(worktree, preview)}?`, lines: previewRows(preview), run } }
}

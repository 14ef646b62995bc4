/** Says at the end of a turn in a worktree how much has changed there. */
import { counted } from '../../text/counted.ts'
import { countText } from '../../tools/diff/change-text.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'

/** `isAtWork` is true if the next turn has begun. */
export function followWorktree(
  context: AppContext,
  batcher: Pick<EventBatcher, 'subscribe'>,
  isAtWork: () => boolean,
): void {
  const { worktrees, host, addProgramNotice } = context
  if (!worktrees || !host || !worktrees.at(host.folder)) return
  let shown = ''
  let asked = 0
  batcher.subscribe(events => {
    if (events.some(({ type }) => type === 'turn_ended')) void showChanged(host.folder)
  })

  async function showChanged(folder: string): Promise<void> {
    const number = (asked += 1)
    const worktree = worktrees?.at(folder)
    const changes = worktree && (await worktrees?.changes(worktree))
    // The end of the next turn reports it.
    if (!changes || number !== asked || isAtWork()) return
    const { session, notes } = changes.list
    const text = changedText(session)
    if (session.length === 0 || text === shown) return
    shown = text
    addProgramNotice(
      'info',
      `${text} on the branch ${worktree.branch}.`,
      notes[0] ?? '/worktree compares, merges, keeps or discards it.',
    )
  }
}

type Counts = { added: number | null; removed: number | null }

/** `3 files changed, +10 -2`. */
export function changedText(files: readonly Counts[]): string {
  const sum = (key: keyof Counts): number => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  const count = counted(files.length, 'file')
  return `${count} changed, ${countText({ added: sum('added'), removed: sum('removed'), isEstimate: false })}`
}

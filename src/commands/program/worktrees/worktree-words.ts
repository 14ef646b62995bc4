/** A worktree in words: its state, the question before it is discarded, and the notice after it. */
import type { Question } from '../../../app/context/choice-prompt.ts'
import { counted } from '../../../text/counted.ts'
import { formatAge } from '../../../text/format.ts'
import { isNothing, type WorktreeLoss } from '../../../worktrees/discard.ts'
import type { ListedWorktree } from '../../../worktrees/list.ts'
import type { Worktree } from '../../../worktrees/record.ts'
import type { WorktreeAnswer } from '../../../worktrees/worktrees.ts'

export function discardQuestion({ branch }: Worktree, loss: WorktreeLoss, run: () => void): Question {
  return {
    title: `discard ${branch}`,
    answers: [
      { label: 'Keep it', detail: '', run: () => undefined },
      { label: 'Discard it', detail: lossText(loss), run },
    ],
  }
}

/** `1 commit and 2 uncommitted files will be lost`. */
export function lossText(loss: WorktreeLoss, verb: 'will' | 'would' = 'will'): string {
  const { commits, files, ignored } = loss
  if (commits === null || files === null || ignored === null) return `git cannot tell what ${verb} be lost`
  const parts = [
    countOf(commits, 'commit', 'commits'),
    countOf(files, 'uncommitted file', 'uncommitted files'),
    countOf(ignored, 'ignored file or folder', 'ignored files or folders'),
  ].filter(part => part !== '')
  const listed = [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')
  return isNothing(loss) ? 'nothing is lost' : `${listed} ${verb} be lost`
}

function countOf(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}

/** `done` is the reason why the branch stays, null if it is gone too. */
export function discardText({ branch }: Worktree, done: WorktreeAnswer<string | null>): ['info' | 'warn', string] {
  if (!done.ok) return ['warn', `${branch} was not discarded: ${done.why}.`]
  if (done.value === null) return ['info', `${branch} and its worktree are gone.`]
  return ['warn', `The worktree is gone. ${branch} stays: ${done.value}`]
}

/** `2h ago, 1 commit ahead, 3 uncommitted`. */
export function worktreeState({ worktree, isThere, ahead, uncommitted }: ListedWorktree, now: number): string {
  const work = [
    ahead === null || ahead === 0 ? '' : `${counted(ahead, 'commit')} ahead`,
    uncommitted === null || uncommitted === 0 ? '' : `${uncommitted} uncommitted`,
  ].filter(part => part !== '')
  const state = !isThere ? ['its folder is gone'] : work.length > 0 ? work : ahead === null ? [] : ['nothing new']
  return [formatAge(now - worktree.at), ...state].join(', ')
}

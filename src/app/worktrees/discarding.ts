/** The question before a worktree is discarded, and the notice after it. */
import { isNothing, type WorktreeLoss } from '../../worktrees/discard.ts'
import type { Worktree } from '../../worktrees/record.ts'
import type { WorktreeAnswer } from '../../worktrees/worktrees.ts'
import type { Question } from '../context/choice-prompt.ts'

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

/** The question before a worktree is thrown away, and what is said after. */
import type { WorktreeLoss } from '../../worktrees/discard.ts'
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

function lossText({ commits, files }: WorktreeLoss): string {
  if (commits === null || files === null) return 'git cannot tell what is lost'
  const parts = [
    commits === 0 ? '' : `${commits} ${commits === 1 ? 'commit' : 'commits'}`,
    files === 0 ? '' : `${files} uncommitted ${files === 1 ? 'file' : 'files'}`,
  ].filter(part => part !== '')
  return parts.length === 0 ? 'nothing is lost' : `${parts.join(' and ')} will be lost`
}

/** `done` is why the branch stays, null if it is gone too. */
export function discardText({ branch }: Worktree, done: WorktreeAnswer<string | null>): ['info' | 'warn', string] {
  if (!done.ok) return ['warn', `${branch} was not discarded: ${done.why}.`]
  if (done.value === null) return ['info', `${branch} and its worktree are gone.`]
  return ['warn', `The worktree is gone. ${branch} stays: ${done.value}`]
}

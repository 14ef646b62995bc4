/** `/worktree`: merges, keeps or discards the worktree of this conversation. */
import type { Worktree } from '../../worktrees/record.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Pages } from '../pages/pages.ts'
import { discardQuestion, discardText } from './discarding.ts'
import { createTaking } from './taking.ts'

export type WorktreeCommandParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  pages: Pick<Pages, 'open'>
  /** Sends a prompt to the agent of this conversation. */
  say: (prompt: string) => void
  redraw: () => void
  /** Ends this conversation; its session stays. */
  leave: () => Promise<void>
}

/** Returns the effect of the command; its argument narrows the list. */
export function createWorktreeCommand(parts: WorktreeCommandParts): (argument: string) => void {
  const { context, choicePrompt, say, redraw } = parts
  const { worktrees, host, hint } = context
  if (!worktrees || !host) return () => hint('There are no worktrees here.')
  const take = createTaking({ context, worktrees, choicePrompt, say, redraw })
  return argument => {
    const worktree = worktrees.at(host.folder)
    if (!worktree) return hint('This conversation works in your folder. /spawn --worktree begins one in a worktree.')
    choicePrompt.ask({
      title: worktree.branch,
      filter: argument,
      answers: answersFor(parts, worktrees, worktree, take),
    })
  }
}

function answersFor(
  { context, choicePrompt, pages, leave }: WorktreeCommandParts,
  worktrees: Worktrees,
  worktree: Worktree,
  take: ReturnType<typeof createTaking>,
) {
  const collect = () => worktrees.changes(worktrees.at(worktree.folder) ?? worktree)
  return [
    { label: 'Diff', detail: 'what has changed since it began', run: () => pages.open('diff', { collect }) },
    { label: 'Merge', detail: 'into your branch, with a merge commit', run: () => void take(worktree, 'merge') },
    { label: 'Rebase', detail: 'its commits on top of your branch', run: () => void take(worktree, 'rebase') },
    { label: 'Cherry-pick', detail: 'into your files, uncommitted', run: () => void take(worktree, 'pick') },
    {
      label: 'Keep',
      detail: 'leave it for later',
      run: () => context.hint(`${worktree.branch} stays: /worktrees lists it.`),
    },
    { label: 'Discard', detail: 'asks first', run: () => void askDiscard() },
  ]

  async function askDiscard(): Promise<void> {
    if (context.state().conversations.length < 2)
      return context.hint('This is the only conversation: discard the worktree from another one.')
    const question = discardQuestion(worktree, await worktrees.loss(worktree), () => void discard())
    choicePrompt.ask(question)
  }

  /** Ends the agent first, also in the process that holds it, so that it cannot write into the removed folder. */
  async function discard(): Promise<void> {
    const id = context.state().conversations.find(row => row.isShown)?.backgroundId
    const ended = id === undefined ? null : await context.conversations?.background?.end(id)
    if (ended?.ok === false) return context.announce('error', `Nothing was discarded: ${ended.message}`)
    await leave()
    const [level, text] = discardText(worktree, await worktrees.discard(worktree))
    context.conversations?.say(level, text)
  }
}

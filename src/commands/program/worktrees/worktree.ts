/** `/worktree`: merges, keeps or discards the worktree of this conversation. */
import type { CommandApp } from '../../../app/command-app.ts'
import { promptEntry } from '../../../state/composer/queue-entry.ts'
import type { TakingWay } from '../../../worktrees/preview.ts'
import type { Worktree } from '../../../worktrees/record.ts'
import type { Worktrees } from '../../../worktrees/worktrees.ts'
import { slashCommand } from '../../slash-command.ts'

export const worktree = slashCommand({
  name: 'worktree',
  help: "merge or discard this conversation's git worktree; compare or keep its changes",
  group: 'program',
  needs: ['worktrees'],
  needsIdle: true,
  /** The argument narrows the list. */
  run(app, argument) {
    const { worktrees, host, hint } = app.context
    if (!worktrees || !host) return hint('There are no worktrees here.')
    const own = worktrees.at(host.folder)
    if (!own) return hint('This conversation works in your folder. /spawn --worktree begins one in a worktree.')
    app.choicePrompt.ask({ title: own.branch, filter: argument, answers: answersFor(app, worktrees, own) })
  },
})

function answersFor(app: CommandApp, worktrees: Worktrees, own: Worktree) {
  const subject = { kind: 'worktree', name: own.branch } as const
  const collect = () => worktrees.changes(worktrees.at(own.folder) ?? own)
  const take = (way: TakingWay): void => void takeChanges(app, worktrees, own, way)
  return [
    {
      label: 'Diff',
      detail: 'what has changed since it began',
      run: () => app.pages.open('diff', { subject, collect }),
    },
    { label: 'Merge', detail: 'into your branch, with a merge commit', run: () => take('merge') },
    { label: 'Rebase', detail: 'its commits on top of your branch', run: () => take('rebase') },
    { label: 'Cherry-pick', detail: 'into your files, uncommitted', run: () => take('pick') },
    {
      label: 'Keep',
      detail: 'leave it for later',
      run: () => app.context.hint(`${own.branch} stays: /worktrees lists it.`),
    },
    { label: 'Discard', detail: 'asks first', run: () => void askDiscard(app, worktrees, own) },
  ]
}

async function takeChanges(
  { context, turns, choicePrompt, redraw }: CommandApp,
  worktrees: Worktrees,
  own: Worktree,
  way: TakingWay,
): Promise<void> {
  const { createTaking } = await import('./taking.ts')
  const say = (prompt: string): void => turns.queue.say(promptEntry(prompt))
  await createTaking({ context, worktrees, choicePrompt, say, redraw })(own, way)
}

async function askDiscard(app: CommandApp, worktrees: Worktrees, own: Worktree): Promise<void> {
  const { context, choicePrompt } = app
  if (context.state().conversations.length < 2)
    return context.hint('This is the only conversation: discard the worktree from another one.')
  const { discardQuestion } = await import('./worktree-words.ts')
  choicePrompt.ask(discardQuestion(own, await worktrees.loss(own), () => void discard(app, worktrees, own)))
}

/** Ends the agent first, also in the process that holds it, so that it cannot write into the removed folder. */
async function discard({ context, leaveThis }: CommandApp, worktrees: Worktrees, own: Worktree): Promise<void> {
  const id = context.state().conversations.find(row => row.isShown)?.backgroundId
  const ended = id === undefined ? null : await context.conversations?.background?.end(id)
  if (ended?.ok === false) return context.addNotice('error', `Nothing was discarded: ${ended.message}`)
  await leaveThis()
  const { discardText } = await import('./worktree-words.ts')
  const [level, text] = discardText(own, await worktrees.discard(own))
  context.conversations?.say(level, text)
}

/** `/diff`: opens the page with the changes of this session, or with those since one of its prompts. */
import type { CommandApp } from '../../app/command-app.ts'
import type { Checkpoints } from '../../checkpoints/checkpoints.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import { turnHeading } from '../../conversation/queries/shown-prompt.ts'
import { slashCommand } from '../slash-command.ts'

export const diff = slashCommand({
  name: 'diff',
  aliases: ['changes'],
  argument: '[since]',
  completes: { choices: () => [{ label: 'since', detail: 'asks for the prompt to compare with' }] },
  help: 'what changed in this session, or since a prompt; ? lists the keys',
  group: 'conversation',
  needs: ['host'],
  run(app, argument) {
    const { changes, pages } = app
    if (!changes) return
    if (argument === '')
      return pages.open('diff', { subject: { kind: 'session' }, collect: changes.collect, first: changes.fromCalls })
    askSince(app, argument.replace(/^since\s*/, ''))
  },
})

/** Asks for the prompt to compare with, in a list that `filter` narrows. */
function askSince({ context: { checkpoints, hint, state }, choicePrompt, pages }: CommandApp, filter: string): void {
  const { entries, open } = state().chat
  const turns = [...entries, ...(open ? [open] : [])].flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
  const answers = turns.toReversed().flatMap(turn => {
    const { checkpoint } = turn
    if (checkpoint === null || !checkpoints) return []
    const words = turnHeading(turn).trim()
    const run = (): void =>
      pages.open('diff', {
        subject: { kind: 'checkpoint', id: checkpoint, words },
        collect: () => changesSince(checkpoints, checkpoint, state().chat.folders),
      })
    return [{ label: words, detail: '', run }]
  })
  if (answers.length === 0) return hint('This session has no checkpoints yet.')
  choicePrompt.ask({ title: 'changes since', answers, filter })
}

async function changesSince(
  checkpoints: Checkpoints,
  id: string,
  folders: readonly string[],
): Promise<CollectedChanges> {
  return (await import('../../app/changes/checkpoint-changes.ts')).changesSince(checkpoints, id, folders)
}

import { entryOf } from '../../state/composer/typed-entry.ts'
import { slashCommand } from '../slash-command.ts'

export const now = slashCommand({
  name: 'now',
  argument: '[text]',
  help: 'stop the agent and send this at once; alone: the first queued message',
  group: 'conversation',
  run: ({ context, turns }, _argument, typed) =>
    turns.queue.sendNow(typed.trim() === '' ? null : entryOf(typed, context.commands())),
})

import { entryOf } from '../../state/composer/typed-entry.ts'
import { slashCommand } from '../slash-command.ts'

export const steer = slashCommand({
  name: 'steer',
  argument: '[text]',
  help: 'tell the running turn this, without stopping it; alone: the first queued message',
  group: 'conversation',
  run: ({ context, turns }, _argument, typed) =>
    turns.queue.steer(typed.trim() === '' ? null : entryOf(typed, context.commands())),
})

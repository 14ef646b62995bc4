import { slashCommand } from '../slash-command.ts'

export const retry = slashCommand({
  name: 'retry',
  help: 'send the last prompt again',
  group: 'conversation',
  needsIdle: true,
  run: ({ turns }) => turns.retry(),
})

import { slashCommand } from '../slash-command.ts'

export const fork = slashCommand({
  name: 'fork',
  aliases: ['branch'],
  argument: '[text]',
  help: 'continue after an earlier turn, in a new session',
  group: 'conversation',
  needs: ['session'],
  needsIdle: true,
  run: ({ branching }, argument) => branching.fork(argument),
})

import { slashCommand } from '../slash-command.ts'

export const resume = slashCommand({
  name: 'resume',
  aliases: ['sessions', 'continue'],
  argument: '[text]',
  help: 'resume an earlier session',
  group: 'conversation',
  needs: ['sessions'],
  run: ({ pickers }, argument) => pickers.open('sessions', { filter: argument }),
})

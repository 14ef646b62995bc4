import { slashCommand } from '../slash-command.ts'

export const marks = slashCommand({
  name: 'marks',
  aliases: ['bookmarks'],
  argument: '[text]',
  help: 'marked places of all sessions',
  group: 'conversation',
  needs: ['sessions'],
  run: ({ pickers }, argument) => pickers.open('marks', { filter: argument }),
})

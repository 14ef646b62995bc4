import { slashCommand } from '../slash-command.ts'

export const marks = slashCommand({
  name: 'marks',
  aliases: ['bookmarks'],
  argument: '[text]',
  help: 'the places that you marked with m in the viewer, in all sessions',
  group: 'conversation',
  needs: ['sessions'],
  run: ({ pickers }, argument) => pickers.open('marks', { filter: argument }),
})

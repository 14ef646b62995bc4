import { slashCommand } from '../slash-command.ts'

export const tree = slashCommand({
  name: 'tree',
  aliases: ['branches'],
  help: 'what came of this session, as a tree',
  group: 'conversation',
  needs: ['sessions'],
  run: ({ pickers }) => pickers.open('tree'),
})

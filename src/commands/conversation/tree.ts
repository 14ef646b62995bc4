import { slashCommand } from '../slash-command.ts'

export const tree = slashCommand({
  name: 'tree',
  aliases: ['branches'],
  help: 'forks, rewinds, side questions and spawned conversations of this session',
  group: 'conversation',
  needs: ['sessions'],
  run: ({ pickers }) => pickers.open('tree'),
})

import { slashCommand } from '../slash-command.ts'

export const rename = slashCommand({
  name: 'rename',
  aliases: ['title'],
  argument: '[name]',
  help: 'give this session a name',
  group: 'conversation',
  needs: ['session'],
  run: ({ sessionList }, argument) => sessionList.renameCurrent(argument),
})

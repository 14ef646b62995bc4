import { slashCommand } from '../slash-command.ts'

export const conversations = slashCommand({
  name: 'conversations',
  argument: '[number]',
  help: 'the conversations; a number goes to one',
  group: 'program',
  needs: ['conversations'],
  run({ context, conversationList }, argument) {
    if (argument === '') return conversationList?.open()
    if (argument === 'news') return conversationList?.news()
    const number = /^[1-9]\d*$/.test(argument) ? Number(argument) : 0
    if (!context.conversations?.show(number))
      context.hint(`There is no conversation ${argument}: /conversations lists them.`)
  },
})

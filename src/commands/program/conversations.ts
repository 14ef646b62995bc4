import { slashCommand } from '../slash-command.ts'

export const conversations = slashCommand({
  name: 'conversations',
  argument: '[number]',
  help: 'the conversations; a number goes to one',
  group: 'program',
  needs: ['conversations'],
  run({ context, pickers, news }, argument) {
    if (argument === '') return pickers.open('conversations')
    if (argument === 'news') return news()
    const number = /^[1-9]\d*$/.test(argument) ? Number(argument) : 0
    if (!context.conversations?.show(number))
      context.hint(`There is no conversation ${argument}: /conversations lists them.`)
  },
})

/** `/find`: searches all sessions, on a page. */
import { slashCommand } from '../../slash-command.ts'

export const find = slashCommand({
  name: 'find',
  aliases: ['search'],
  argument: '[words]',
  help: 'search what was said, run and changed in all sessions',
  group: 'conversation',
  needs: ['find'],
  async run(app, argument) {
    const { openFind } = await import('./open-find.ts')
    openFind(app, argument)
  },
})

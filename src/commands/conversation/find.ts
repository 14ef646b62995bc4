/** `/find`: searches all sessions, on a page. */
import { slashCommand } from '../slash-command.ts'

export const find = slashCommand({
  name: 'find',
  aliases: ['search'],
  argument: '[words]',
  help: 'search all sessions for what was said or run',
  group: 'conversation',
  needs: ['find'],
  async run(app, argument) {
    const { findRequest } = await import('../../app/find/finding.ts')
    app.pages.open('find', findRequest(app, argument))
  },
})

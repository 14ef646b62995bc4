import { slashCommand } from '../../slash-command.ts'

export const context = slashCommand({
  name: 'context',
  aliases: ['window'],
  help: 'what fills the context window; what the agent loads on its own',
  group: 'agent',
  run: async app => (await import('./context-text.ts')).showContext(app.context),
})

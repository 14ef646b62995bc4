/** `/share`: a link with which others read this conversation. */
import { slashCommand } from '../../slash-command.ts'

export const share = slashCommand({
  name: 'share',
  help: 'a link to read this conversation in a browser, for a time',
  group: 'conversation',
  needs: ['serving', 'session'],
  run: async app => (await import('./share-conversation.ts')).shareConversation(app),
})

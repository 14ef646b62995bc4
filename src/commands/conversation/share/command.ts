/** `/share`: a link with which others read this conversation. */
import { slashCommand } from '../../slash-command.ts'

export const share = slashCommand({
  name: 'share',
  help: 'a link for others to read this conversation',
  group: 'conversation',
  needs: ['serving', 'session'],
  run: async app => (await import('./share-conversation.ts')).shareConversation(app),
})

import { slashCommand } from '../slash-command.ts'

export const move = slashCommand({
  name: 'move',
  argument: '[host or back]',
  help: 'go on with this on another machine, or back',
  group: 'conversation',
  needs: ['conversations', 'sessions', 'host'],
  needsIdle: true,
  async run(app, _argument, typed) {
    const { moveConversation } = await import('../../app/move/move.ts')
    void moveConversation(app, typed)
  },
})

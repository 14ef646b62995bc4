import { slashCommand } from '../slash-command.ts'

export const clear = slashCommand({
  name: 'clear',
  aliases: ['new', 'reset'],
  help: 'start a new conversation; the screen stays',
  group: 'conversation',
  abilities: ['clear'],
  needsIdle: true,
  /** An agent that does not run has nothing to forget. After a restart it must not get the cleared conversation. */
  async run({ context, turns }) {
    if (context.state().chat.agent.phase === 'ready') await turns.machine.request('cleared')
    else context.report([{ type: 'conversation_cleared', at: context.now() }])
  },
})

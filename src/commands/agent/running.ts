/** `/running`: the list of what works in this conversation: subagents, commands, wake-ups, the side question. */
import { slashCommand } from '../slash-command.ts'

export const running = slashCommand({
  name: 'running',
  aliases: ['tasks', 'ps', 'jobs'],
  help: 'who works here: subagents, commands, wake-ups; open or stop one',
  group: 'agent',
  run: ({ pickers }) => pickers.open('running'),
})

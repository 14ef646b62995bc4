import { slashCommand } from '../slash-command.ts'

export const options = slashCommand({
  name: 'options',
  aliases: ['option'],
  argument: '[name] [value]',
  help: "the agent's own options",
  group: 'agent',
  abilities: ['setOption'],
  run: ({ agentOptions }, argument) => agentOptions.open(argument),
})

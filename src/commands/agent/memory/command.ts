import { slashCommand } from '../../slash-command.ts'

export const memory = slashCommand({
  name: 'memory',
  aliases: ['instructions'],
  help: 'AGENTS.md and other files that the agent loads; open one in your editor',
  group: 'agent',
  needs: ['host'],
  run: app => void import('./instruction-files.ts').then(({ openMemory }) => openMemory(app)),
})

import { slashCommand } from '../../slash-command.ts'

export const memory = slashCommand({
  name: 'memory',
  aliases: ['instructions'],
  help: 'AGENTS.md and other files that the agent loads; open one in your editor',
  group: 'agent',
  needs: ['host'],
  async run(app) {
    const { openMemory } = await import('./instruction-files.ts')
    void openMemory(app)
  },
})

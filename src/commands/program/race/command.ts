/** `/race`: one prompt for several agents, each in a worktree. */
import { slashCommand } from '../../slash-command.ts'

export const race = slashCommand({
  name: 'race',
  argument: '[agents prompt]',
  help: 'one prompt for several agents (claude,codex,zot:MODEL; or a number), each in a worktree; without one: the races',
  group: 'program',
  needs: ['races'],
  async run(app, _argument, typed) {
    const { runRace } = await import('./run-race.ts')
    return runRace(app, typed)
  },
})

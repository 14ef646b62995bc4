import type { AppState } from '../../../state/state.ts'
import type { Choice } from '../../../state/pickers/picker.ts'
import { slashCommand } from '../../slash-command.ts'

export const skills = slashCommand({
  name: 'skills',
  aliases: ['skill'],
  argument: '[name]',
  completes: { choices: skillChoices },
  help: 'the skills that the agent can load; with a name: opens its file',
  group: 'agent',
  abilities: ['reading'],
  async run(app, argument) {
    const { openSkills } = await import('./skill-list.ts')
    void openSkills(app, argument)
  },
})

function skillChoices({ reading }: AppState): Choice[] {
  if (reading === null || reading === 'awaited') return []
  return reading.skills.items.map(({ name, description }) => ({ label: name, detail: description }))
}

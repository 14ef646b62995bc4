import { inUse, type ArgumentChoice } from '../../state/completion/argument-completer.ts'
import type { AppState } from '../../state/state.ts'
import { askArgument } from '../ask-argument.ts'
import { slashCommand } from '../slash-command.ts'

export const reasoning = slashCommand({
  name: 'reasoning',
  aliases: ['effort', 'thinking'],
  argument: '[level]',
  completes: { choices: reasoningChoices },
  help: 'set the reasoning level',
  group: 'agent',
  abilities: ['setReasoning'],
  needsIdle: true,
  run(app, argument) {
    const { reasoning: levels } = app.turns
    return argument === '' && levels.canBeSet() ? askArgument(reasoning, app) : levels.set(argument)
  },
})

function reasoningChoices({ chat }: AppState): ArgumentChoice[] {
  const { reasoning, reasoningLevels } = chat.agent
  if (reasoningLevels.length === 0) return []
  const used = reasoning || 'off'
  return ['off', ...reasoningLevels].map(label => ({ label, detail: inUse(label, used), isInUse: label === used }))
}

import { modeOption } from '../../state/agent-options.ts'
import { inUse, type ArgumentChoice } from '../../state/completion/argument-completer.ts'
import type { AppState } from '../../state/state.ts'
import { slashCommand } from '../slash-command.ts'

export const mode = slashCommand({
  name: 'mode',
  aliases: ['modes'],
  argument: '[name]',
  completes: { choices: modeChoices },
  help: "the agent's own mode",
  group: 'agent',
  needs: ['modes'],
  abilities: ['setOption'],
  run: ({ agentOptions }, argument) => agentOptions.mode(argument),
})

function modeChoices({ chat }: AppState): ArgumentChoice[] {
  const option = modeOption(chat.options)
  return (option?.choices ?? []).map(({ value, name }) => ({
    label: value,
    detail: [inUse(value, String(option?.value)), name].filter(part => part !== '').join(': '),
    isInUse: value === option?.value,
  }))
}

/** Queries of the options that the running agent offers. */
import type { AgentOption } from '../agent/session-events.ts'

/** The option with the agent's modes, if it has more than one. */
export function modeOption(options: readonly AgentOption[]): AgentOption | undefined {
  return options.find(({ category, kind, choices }) => category === 'mode' && kind === 'choice' && choices.length > 1)
}

/** The name of an option's current value. */
export function valueName(option: AgentOption): string {
  return choiceName(option, option.value)
}

/** The name of a value. */
export function choiceName({ choices }: AgentOption, value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return choices.find(choice => choice.value === value)?.name ?? value
}

/** Queries of the options that the running agent offers. */
import type { PermissionMode } from '../agent/permission.ts'
import type { AgentOption } from '../agent/session-events.ts'

/** The option with the agent's modes, if it has more than one. */
export function modeOption(options: readonly AgentOption[]): AgentOption | undefined {
  return options.find(({ category, kind, choices }) => category === 'mode' && kind === 'choice' && choices.length > 1)
}

/** The mode of ours that does the same as the one that the user chose for the agent; undefined if they chose none, or it is unknown. */
export function chosenMeaning(options: readonly AgentOption[]): PermissionMode | undefined {
  const mode = options.find(({ category, chosen }) => category === 'mode' && chosen)
  return mode?.choices.find(({ value }) => value === mode.value)?.means
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

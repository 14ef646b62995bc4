/** The name of a model for people. Pure. */
import type { AgentOption } from '../../agent/session-events.ts'

export type NamedModels = {
  options: readonly AgentOption[]
  agent: { provider: string; model: string }
}

/** The agent's own name of its model; else `provider/model`, or only the model of an agent that reports no provider. */
export function modelTitle({ options, agent: { provider, model } }: NamedModels): string {
  if (provider !== '') return `${provider}/${model}`
  const choices = options.find(({ category }) => category === 'model')?.choices ?? []
  const name = choices.find(({ value }) => value === model)?.name ?? ''
  // Codex names `gpt-5` "5".
  return /\p{L}/u.test(name) ? name : model
}

/** Which provider got a turn, and to which others its results may go. */
import type { AgentState, ChatState, Turn } from './state.ts'

/** The provider of an agent's model. An agent that does not tell it counts as a provider of its own. */
export function providerKey({ provider, name }: Pick<AgentState, 'provider' | 'name'>): string {
  return provider === '' ? `agent ${name}` : provider
}

export function sentTo(agent: AgentState): Turn['sentTo'] {
  return agent.name === '' ? null : { provider: providerKey(agent), model: agent.model }
}

/** The user lets this provider have the results that others got. */
export function sharedWith(state: ChatState, provider: string | undefined): ChatState {
  return provider === undefined ? state : { ...state, sharedWith: [...(state.sharedWith ?? []), provider] }
}

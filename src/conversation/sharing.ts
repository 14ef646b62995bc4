/** Which provider got a turn, and to which others its results may go. */
import type { AgentState, ChatState, Turn } from './state.ts'

/**
 * Who gets what is sent to an agent: the provider of its model, and the server if that is not the provider's own. An agent that does
 * not report its provider counts as one.
 */
export function providerKey({ provider, name, server }: Pick<AgentState, 'provider' | 'name' | 'server'>): string {
  return (provider || `agent ${name}`) + (server ? ` at ${server}` : '')
}

export function sentTo(agent: AgentState): Turn['sentTo'] {
  return agent.name === '' ? null : { provider: providerKey(agent), model: agent.model }
}

/** The user lets this provider have the results that others got. */
export function sharedWith(state: ChatState, provider: string | undefined): ChatState {
  return provider === undefined ? state : { ...state, sharedWith: [...(state.sharedWith ?? []), provider] }
}

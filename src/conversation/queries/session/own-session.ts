import type { OwnSession } from '../../../agent/backend.ts'
import type { ChatState } from '../../state.ts'
import { hasTakenPrompts } from './session-entries.ts'

/**
 * The session in which the agent with this name remembers the conversation; undefined without one. For a `forked`
 * conversation it is a copy, since another program continues it. Agents know only the sessions of their folder.
 */
export function ownSession(chat: ChatState, agent: string, forked: string | null = null): OwnSession | undefined {
  const { rememberedBy } = chat
  if (rememberedBy?.agent !== agent || !hasTakenPrompts(chat) || forked === 'of another folder') return undefined
  const { id, costUsd } = rememberedBy
  if (forked !== null) return { id, copy: true }
  return { id, ...(costUsd !== null && { costUsd }) }
}

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
  const mode = chosenMode(chat)
  const session = { id, ...(mode !== null && { mode }) }
  if (forked !== null) return { ...session, copy: true }
  return { ...session, ...(costUsd !== null && { costUsd }) }
}

/** The mode of its own that the user chose for the agent; null if it is in another. */
function chosenMode({ options }: ChatState): string | null {
  const option = options.find(({ category, chosen }) => category === 'mode' && chosen)
  return option ? String(option.value) : null
}

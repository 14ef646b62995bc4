/** The results of tools that the running agent may get: those of its own provider, and those that the user shares with it. */
import { providerKey } from '../../sharing.ts'
import type { ChatState, Turn } from '../../state.ts'
import { sessionEntries } from './session-entries.ts'
import { hasResults, type Results } from './turn-text.ts'

/** The name for people of a provider, by its key. */
export function providerName(key: string): string {
  return key.replace(/^agent /, '')
}

export function resultsFor({ agent, sharedWith }: Pick<ChatState, 'agent' | 'sharedWith'>, turn: Turn): Results {
  const key = providerKey(agent)
  return turn.sentTo?.provider === key || sharedWith?.includes(key) ? 'all' : 'withheld'
}

/** The names of the providers whose results the running agent will not get with the conversation; none if it gets all. */
export function withheldFrom(chat: ChatState): string[] {
  if (chat.memory !== 'none') return []
  const names = sessionEntries(chat).flatMap(entry => {
    const isWithheld = entry.kind === 'turn' && entry.outcome !== 'refused' && resultsFor(chat, entry) === 'withheld'
    if (!isWithheld || !hasResults(entry)) return []
    return [entry.sentTo === null ? 'another agent' : providerName(entry.sentTo.provider)]
  })
  return [...new Set(names)]
}

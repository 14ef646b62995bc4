import type { ChatState, Entry } from '../../state.ts'

/** The entries of the present session: a clear begins a new session. */
export function sessionEntries({ entries }: Pick<ChatState, 'entries'>): readonly Entry[] {
  return entries.slice(entries.findLastIndex(entry => entry.kind === 'cleared') + 1)
}

/** Whether the agent has taken a prompt in the present session. */
export function hasTakenPrompts(chat: Pick<ChatState, 'entries'>): boolean {
  return sessionEntries(chat).some(entry => entry.kind === 'turn' && entry.outcome !== 'refused')
}

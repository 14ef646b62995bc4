/** The first screen: a greeting and prompts to begin with, above the composer until something is said. Pure. */
import type { AppState, Welcome } from './state.ts'

/** Null once there is something else to see: a prompt, a command, an earlier session, the end of the agent. The first draft that is taken removes it for good. */
export function visibleWelcome({ welcome, chat, restored, queue }: AppState): Welcome | null {
  const isEmpty = chat.open === null && chat.shell === null && chat.entries.every(({ kind }) => kind === 'notice')
  return isEmpty && restored.times === 0 && queue.entries.length === 0 ? welcome : null
}

/** The suggestion that a key writes into an empty composer, and the one after it into one that holds a suggestion; null for other drafts. */
export function nextSuggestion(state: AppState): string | null {
  const prompts = visibleWelcome(state)?.suggestions.map(({ prompt }) => prompt) ?? []
  const { text } = state.editor
  const at = prompts.indexOf(text)
  return text !== '' && at < 0 ? null : (prompts[(at + 1) % prompts.length] ?? null)
}

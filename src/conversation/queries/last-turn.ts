import type { Entry, Turn } from '../state.ts'

/** The last turn that has ended. */
export function lastTurn(entries: readonly Entry[]): Turn | undefined {
  return entries.findLast(entry => entry.kind === 'turn')
}

/** The last one with a prompt: the agent may have begun others itself since. */
export function lastPromptedTurn(entries: readonly Entry[]): Turn | undefined {
  return entries.findLast((entry): entry is Turn => entry.kind === 'turn' && entry.unprompted === undefined)
}

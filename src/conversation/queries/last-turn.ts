import type { Entry, Turn } from '../state.ts'

/** The last turn that has ended. */
export function lastTurn(entries: readonly Entry[]): Turn | undefined {
  return entries.findLast(entry => entry.kind === 'turn')
}

/** A conversation that another process holds, told anew: the part of it that is on the screen already. */
import type { ChatState } from '../../conversation/state.ts'

/**
 * The number of entries of `after` that need not be printed, because `before` was printed: up to as many turns as had ended in it. A
 * turn that a lost connection cut off is printed again, as it went on. All, if `after` has no more turns than that.
 */
export function entriesShown(before: Pick<ChatState, 'entries'>, after: Pick<ChatState, 'entries'>): number {
  const turns = before.entries.filter(entry => entry.kind === 'turn')
  const last = turns.at(-1)
  const whole = last?.kind === 'turn' && last.outcome === 'agent_ended' ? turns.length - 1 : turns.length
  const places = [...after.entries.keys()].filter(at => after.entries[at]?.kind === 'turn')
  const next = places[whole]
  if (next === undefined) return after.entries.length
  const former = places[whole - 1]
  return former === undefined ? 0 : former + 1
}

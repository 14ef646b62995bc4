/** A conversation that its holder sends again: finds the part of it that is already on the screen. */
import type { ChatState } from '../../conversation/state.ts'

/**
 * The number of entries of `after` that need not be printed, because `before` is on the screen: those up to the end of
 * its last turn. A turn that a lost connection cut off does not count: it is printed again. All entries, if `after` has
 * no further turn.
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

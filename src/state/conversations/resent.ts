/** A conversation that its holder sends again: finds the part of it that is already on the screen. */
import type { ChatState, Entry } from '../../conversation/state.ts'

/**
 * The number of entries of `after` that need not be printed, because `before` is on the screen: those up to the end of
 * its last turn. A turn that a lost connection cut off does not count: it is printed again. If `after` has no further turn, only the notices
 * at its end that `before` lacks are printed: its holder may have made them at its start.
 */
export function entriesShown(before: Pick<ChatState, 'entries'>, after: Pick<ChatState, 'entries'>): number {
  const turns = before.entries.filter(entry => entry.kind === 'turn')
  const last = turns.at(-1)
  const whole = last?.kind === 'turn' && last.outcome === 'agent_ended' ? turns.length - 1 : turns.length
  const places = [...after.entries.keys()].filter(at => after.entries[at]?.kind === 'turn')
  const next = places[whole]
  if (next === undefined) return after.entries.findLastIndex(entry => !isNews(entry, before)) + 1
  const former = places[whole - 1]
  return former === undefined ? 0 : former + 1
}

function isNews(entry: Entry, { entries }: Pick<ChatState, 'entries'>): boolean {
  if (entry.kind !== 'notice') return false
  return !entries.some(each => each.kind === 'notice' && each.at === entry.at && each.text === entry.text)
}

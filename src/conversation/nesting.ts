/** Which calls were made by which: an id like `a/1` is that of a call made by the tool `a`. */
import type { Names } from './places.ts'
import type { Part, ToolCall, Turn } from './state.ts'

/** What a part of a turn is found by: a call by its id, and as one of those that have the same outermost id. */
export function namesOfPart(part: Part): Names | null {
  return part.kind === 'tool' ? { own: part.id, family: outermost(part.id) } : null
}

/** Of an id without a tool before its first slash, that is the whole. */
function outermost(id: string): string {
  const slash = id.indexOf('/', 1)
  return slash < 0 ? id : id.slice(0, slash)
}

/** Where the newest call of that id stands, from a part on and before another; -1 for nowhere. Ids may repeat over time (2.23). */
export function lastCall(turn: Turn, id: string, from = 0, before = turn.parts.length): number {
  return turn.parts.lastPlaceOf(id, from, before)
}

/** The id of the tool that made this call; null where the agent made it. */
export function parentOf(id: string): string | null {
  const slash = id.lastIndexOf('/')
  return slash > 0 ? id.slice(0, slash) : null
}

/**
 * Where the calls stand that the tool at `index` made, and those that they made, in the order they began: all of them before
 * it ended. Ids may repeat in later steps.
 */
export function* nestedPlaces(turn: Turn, index: number): Generator<number> {
  const tool = turn.parts.get(index)
  if (tool?.kind !== 'tool') return
  const within = `${tool.id}/`
  for (const at of turn.parts.placesOf(outermost(tool.id), index)) {
    const part = turn.parts.get(at)
    if (part?.kind !== 'tool') continue
    if (part.id === tool.id || (tool.endedAt !== null && part.draftedAt > tool.endedAt)) return
    if (part.id.startsWith(within) && !part.withdrawn) yield at
  }
}

/** Those calls themselves. */
export function nestedCalls(turn: Turn, index: number): ToolCall[] {
  return [...nestedPlaces(turn, index)].flatMap(at => {
    const part = turn.parts.get(at)
    return part?.kind === 'tool' ? [part] : []
  })
}

/** Where the parts stand from an index on that count, without the calls that another of them made. */
export function* partsFrom(turn: Turn, from: number): Generator<number> {
  const nested = new Set<number>()
  for (let at = from; at < turn.parts.length; at += 1) {
    const part = turn.parts.get(at)
    if (!part || part.withdrawn || nested.has(at)) continue
    yield at
    if (part.kind === 'tool') for (const place of nestedPlaces(turn, at)) nested.add(place)
  }
}

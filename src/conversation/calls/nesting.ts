/** The nesting of calls: a call that was made by the tool of another. */
import type { Names } from './name-index.ts'
import type { Turn } from '../state.ts'
import type { Part, TextPart, ToolCall } from '../part.ts'

/** The name of all texts of a turn. */
const TEXT = Symbol('text')

/** The names that a part of a turn is found by: a call has its own id, and that of its outermost call as its family. */
export function namesOfPart(part: Part): Names | null {
  if (part.kind === 'tool') return { own: part.id, family: part.root }
  return part.kind === 'text' ? { own: TEXT, family: TEXT } : null
}

/** The newest text that was not withdrawn; null if there is none. */
export function lastText(turn: Turn): TextPart | null {
  const [text = null] = textsFromEnd(turn)
  return text
}

/** The texts of the agent, the newest first. */
export function* textsFromEnd({ parts }: Turn): Generator<TextPart> {
  for (let index = parts.lastPlaceOf(TEXT); index >= 0; index = parts.lastPlaceOf(TEXT, 0, index)) {
    const part = parts.get(index)
    if (part?.kind === 'text' && !part.withdrawn) yield part
  }
}

/** The index of the newest call with this id, at least `from` and below `before`; -1 for none. Ids may repeat (23). */
export function lastCall(turn: Turn, id: string, from = 0, before = turn.parts.length): number {
  return turn.parts.lastPlaceOf(id, from, before)
}

/** The place of a new call in the nesting, by the id of the call whose tool makes it. */
export function nestedIn(turn: Turn, parent: string | null, id: string): Pick<ToolCall, 'parent' | 'root'> {
  if (parent === null) return { parent, root: id }
  const above = turn.parts.get(lastCall(turn, parent))
  return { parent, root: above?.kind === 'tool' ? above.root : parent }
}

/**
 * The indices of the calls that the tool at `index` made, directly or not, in the order they began. Calls that began
 * after it ended do not count, since ids may repeat in later steps.
 */
export function* nestedPlaces(turn: Turn, index: number): Generator<number> {
  const tool = turn.parts.get(index)
  if (tool?.kind !== 'tool') return
  const above = new Set([tool.id])
  for (const at of turn.parts.placesOf(tool.root, index)) {
    const part = turn.parts.get(at)
    if (part?.kind !== 'tool') continue
    if (part.id === tool.id || (tool.endedAt !== null && part.draftedAt > tool.endedAt)) return
    if (part.parent === null || !above.has(part.parent)) continue
    above.add(part.id)
    if (!part.withdrawn) yield at
  }
}

/** The calls that the tool at `index` made, directly or not. */
export function nestedCalls(turn: Turn, index: number): ToolCall[] {
  return [...nestedPlaces(turn, index)].flatMap(at => {
    const part = turn.parts.get(at)
    return part?.kind === 'tool' ? [part] : []
  })
}

/** The indices of the parts from an index on, without withdrawn ones and without nested calls. */
export function* partsFrom(turn: Turn, from: number): Generator<number> {
  const nested = new Set<number>()
  for (let at = from; at < turn.parts.length; at += 1) {
    const part = turn.parts.get(at)
    if (!part || part.withdrawn || nested.has(at)) continue
    yield at
    if (part.kind === 'tool') for (const place of nestedPlaces(turn, at)) nested.add(place)
  }
}

/** Reading JSON from others, and writing JSON for others. */
import { escapeMarks } from './marks.ts'

/** The most levels of nesting that are kept: more than any tool needs, and fewer than overflow the stack. */
export const DEEPEST = 200

/** Replaces values that are nested deeper. */
const OMITTED = '[omitted: nested too deep]'

/**
 * The value of a JSON text; undefined, which JSON cannot say, where it has none. Lists and objects that are nested too deep
 * become a text, so that every walk through a value ends and the value can be written again.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The text is torn or no JSON: the caller decides what that means.
    return undefined
  }
  // Each level takes two characters.
  if (text.length > 2 * DEEPEST) bound(value)
  return value
}

/** Goes down a level at a time: a stack of calls would be exhausted by what this is to find. */
function bound(value: unknown): void {
  let level: object[] = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth += 1) {
    const below: object[] = []
    for (const container of level) {
      for (const [name, member] of membersOf(container)) {
        if (!isContainer(member)) continue
        if (depth < DEEPEST) below.push(member)
        else Object.defineProperty(container, name, { value: OMITTED })
      }
    }
    level = below
  }
}

function membersOf(container: object): Iterable<[string | number, unknown]> {
  return Array.isArray(container) ? container.entries() : Object.entries(container)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * The text of a value for others to read, also on a terminal: control and hidden characters are written as `\uXXXX`, which is
 * the same JSON.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeMarks(JSON.stringify(value, null, indent))
}

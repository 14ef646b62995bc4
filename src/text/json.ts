/** JSON that others wrote, and JSON for others to read. */
import { escapeMarks } from './marks.ts'

/** Lists and objects within each other that are kept: more than any tool is given, and less than any stack holds. */
export const DEEPEST = 200

/** What stands in the place of what is nested deeper. */
const LEFT_OUT = '[left out: nested too deep]'

/**
 * The value of a JSON text; undefined, which JSON cannot say, where it has none. Lists and objects that are nested too deep
 * become words, so that whoever goes down into a value comes to an end of it, and can write it again.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Torn, or something else altogether: the caller says what that means.
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
        else Object.defineProperty(container, name, { value: LEFT_OUT })
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
 * The text of a value for others to read, also on a terminal: what acts there or hides is written as `\uXXXX`, which for a
 * reader of JSON is the same text.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeMarks(JSON.stringify(value, null, indent))
}

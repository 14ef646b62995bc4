/** Reads JSON from others, and writes JSON for others. */
import { escapeMarks } from './controls/marks.ts'
import { lookup } from './lookup.ts'

/** The most levels of nesting: more than any tool needs, and few enough for the stack. */
export const DEEPEST = 200

/** The text that replaces values nested deeper. */
const OMITTED = '[omitted: nested too deep]'

/**
 * The value of a JSON text; undefined, which JSON cannot express, if it is invalid. Lists and objects that are nested too deep
 * become a text, so that every recursion through a value ends.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The text is incomplete or not JSON: the caller decides what that means.
    return undefined
  }
  // Each level takes two characters.
  if (text.length > 2 * DEEPEST) bound(value)
  return value
}

/** Replaces values that are nested too deep. Its own recursion stops there. */
function bound(value: unknown, depth = 1): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) boundMember(value, index, value[index], depth)
  } else if (isContainer(value)) {
    // `for in` makes no list of names; a value from JSON has only its own.
    for (const name in value) boundMember(value, name, lookup(value, name), depth)
  }
}

function boundMember(container: object, name: string | number, member: unknown, depth: number): void {
  if (!isContainer(member)) return
  if (depth < DEEPEST) bound(member, depth + 1)
  // An assignment to `__proto__` would not be a member.
  else Object.defineProperty(container, name, { value: OMITTED })
}

/** Whether a value has members, for code that walks through any value: an object or a list. */
export function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/**
 * The text of a value for others to read, also on a terminal: control and hidden characters are written as `\uXXXX`, which is
 * the same JSON.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeMarks(JSON.stringify(value, null, indent))
}

/** Whether a JSON value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

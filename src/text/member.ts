/**
 * A member of a value that others wrote, where its name is all that is asked about, such as the path among the arguments of a call. What
 * has a shape of several members is read by a schema (`agent/schema-reader.ts`). Pure.
 */
import { isObject } from './json.ts'
import { lookup } from './lookup.ts'

/** The member at a path of names; undefined if there is none. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) ? lookup(found, name) : undefined
  return found
}

/** The text at a path of names; undefined if there is none, or anything else. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = memberAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

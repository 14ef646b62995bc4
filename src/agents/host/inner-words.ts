/** Finds the message in the raw answer of a server. Pure. */
import { isObject, parseJson } from '../../text/json.ts'
import { lookup } from '../../text/lookup.ts'

/** Returns the message in a raw answer. Any other text stays as it is. */
export function innerWords(text: string): string {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined
  return textIn(value, 'error', 'message') ?? textIn(value, 'message') ?? textIn(value, 'error') ?? text.trim()
}

/** The text at a path of field names. */
export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  let found = value
  for (const name of path) found = isObject(found) ? lookup(found, name) : undefined
  return typeof found === 'string' ? found : undefined
}

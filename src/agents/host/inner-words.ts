/** Finds the message in the raw answer of a server. Pure. */
import { parseJson } from '../../text/json.ts'
import { textAt } from '../../text/member.ts'

/** Returns the message in a raw answer. Any other text stays as it is. */
export function innerWords(text: string): string {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined
  return textAt(value, 'error', 'message') ?? textAt(value, 'message') ?? textAt(value, 'error') ?? text.trim()
}

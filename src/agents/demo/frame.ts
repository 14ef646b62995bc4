/** One object on its way to the client. */
export type DemoFrame = { readonly type: string; readonly [field: string]: unknown }

/**
 * A frame as zot writes it: Go's maps come out with their keys sorted, its encoder escapes what is special in HTML, and
 * what is no valid Unicode becomes U+FFFD.
 */
export function encode(frame: DemoFrame): string {
  return JSON.stringify(frame, asGoWouldOrder).replaceAll(/[<>&\u2028\u2029]/gu, escaped)
}

function asGoWouldOrder(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One object of the output. */
export type DemoFrame = { readonly type: string; readonly [field: string]: unknown }

/**
 * Encodes a frame as zot does: with sorted keys, with characters escaped that are special in HTML, and with U+FFFD for
 * invalid Unicode.
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

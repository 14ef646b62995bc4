/**
 * A string value out of JSON text that is still being written, such as the content of a file that a model composes.
 * Undefined while its key has not come; what has come of it otherwise.
 */
export function partialString(json: string, key: string): string | undefined {
  const start = new RegExp(`"${key}"\\s*:\\s*"`).exec(json)
  if (!start) return undefined
  const from = start.index + start[0].length
  let to = from
  while (to < json.length && json[to] !== '"') to += json[to] === '\\' ? 2 : 1
  return unescape(json.slice(from, Math.min(to, json.length)))
}

/** Reads JSON's escapes; one that was cut off at the end is left out. */
function unescape(text: string): string {
  const whole = text.replace(/\\(?:u[\da-fA-F]{0,3})?$/, match => (isEscapedBackslash(text, match) ? match : ''))
  try {
    const value: unknown = JSON.parse(
      `"${whole.replace(/[\u0000-\u001F]/g, control => JSON.stringify(control).slice(1, -1))}"`,
    )
    return String(value)
  } catch {
    // Not valid JSON after all: better its raw text than nothing.
    return whole
  }
}

/** Whether the backslash that begins the last `match` is itself escaped by an odd run of backslashes before it. */
function isEscapedBackslash(text: string, match: string): boolean {
  const before = /\\*$/.exec(text.slice(0, text.length - match.length))?.[0].length ?? 0
  return before % 2 === 1
}

/**
 * Reads incomplete JSON, such as the arguments that a model is still writing. Models may break lines inside strings or
 * escape wrongly; what cannot be decoded is shown as it was written.
 */
import { parseJson } from '../text/json.ts'
import { lookup } from '../text/lookup.ts'

const QUOTE = 34
const BACKSLASH = 92

/** The range of a string between its quotes; `closed` is false before its end has arrived. */
type StringRange = { from: number; to: number; closed: boolean }

/** The string value of a key of the outermost object, as far as it has arrived; undefined before that or for other types. */
export function partialString(json: string, key: string): string | undefined {
  const found = findString(json, key)
  return found ? decode(json.slice(found.from, found.to), found.closed) : undefined
}

/**
 * The end of a long value, from the beginning of a line; from the middle of one only if that alone exceeds the limit. Decodes
 * only about its last `limit` characters.
 */
export function partialTail(json: string, key: string, limit: number): string | undefined {
  const found = findString(json, key)
  if (!found) return undefined
  const { from, to, closed } = found
  const start = to - from <= limit ? from : lineStart(json, from, to - limit, to)
  return decode(json.slice(start, to), closed)
}

/** The value as far as it has arrived, with open brackets and strings closed; undefined if it cannot be parsed. */
export function partialValue(json: string): unknown {
  const closers: string[] = []
  let at = 0
  let open: StringRange | null = null
  // The end of the last complete value, where the same brackets are open as at the end of the text.
  let safe = 0
  while (at < json.length) {
    const character = json[at] ?? ''
    if (character === '"') {
      const found = scanString(json, at + 1)
      if (!found.closed) {
        open = found
        break
      }
      at = found.to + 1
      continue
    }
    at += 1
    if (character === ',') safe = at - 1
    if (character === '{' || character === '[') closers.push(character === '{' ? '}' : ']')
    if (character === '}' || character === ']') closers.pop()
    if ('{[}]'.includes(character)) safe = at
  }
  const end = closers.toReversed().join('')
  const whole = open ? `${json.slice(0, open.from)}${undangled(json.slice(open.from))}"` : json
  const value = parseJson(whole + end)
  return value === undefined ? parseJson(json.slice(0, safe) + end) : value
}

/** Finds a key of the outermost object only: the same word inside a value is no key. */
function findString(json: string, key: string): StringRange | null {
  let at = skipBlanks(json, 0)
  if (json[at] !== '{') return null
  at += 1
  for (;;) {
    at = skipBlanks(json, at, ',')
    if (json[at] !== '"') return null
    const name = scanString(json, at + 1)
    if (!name.closed) return null
    at = skipBlanks(json, name.to + 1, ':')
    const isMatch = decode(json.slice(name.from, name.to), true) === key
    if (json[at] === '"') {
      const value = scanString(json, at + 1)
      if (isMatch) return value
      if (!value.closed) return null
      at = value.to + 1
    } else {
      if (isMatch) return null
      at = skipValue(json, at)
    }
  }
}

function scanString(json: string, from: number): StringRange {
  // Comparing code units as numbers is fast, and this reads all of a long text for each frame.
  for (let at = from; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) return { from, to: at, closed: true }
    if (unit === BACKSLASH) at += 1
  }
  return { from, to: json.length, closed: false }
}

/** Whether an odd number of backslashes precedes `at`. */
function isEscaped(json: string, from: number, at: number): boolean {
  let before = at
  while (before > from && json[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

function skipBlanks(json: string, from: number, also = ''): number {
  let at = from
  while (at < json.length && (/\s/.test(json[at] ?? '') || json[at] === also)) at += 1
  return at
}

/** The end of a value that is not a string. */
function skipValue(json: string, from: number): number {
  let depth = 0
  let at = from
  while (at < json.length) {
    const character = json[at]
    if (character === '"') at = scanString(json, at + 1).to
    if (character === '{' || character === '[') depth += 1
    if (character === '}' || character === ']') depth -= 1
    if (depth < 0 || (depth === 0 && character === ',')) return at
    at += 1
  }
  return at
}

/** The beginning of the first line at or after `near`; if there is none, `near` itself, moved out of an escape. */
function lineStart(json: string, from: number, near: number, to: number): number {
  for (let at = json.indexOf('\\n', near); at >= 0 && at + 2 <= to; at = json.indexOf('\\n', at + 1)) {
    if (!isEscaped(json, from, at)) return at + 2
  }
  return isEscaped(json, from, near) ? near + 1 : near
}

/** Removes an incomplete escape or half a character from the end. */
function undangled(raw: string): string {
  const escape = /\\(?:u[\da-f]{0,3})?$/i.exec(raw)
  const cut = escape && !isEscaped(raw, 0, escape.index) ? raw.slice(0, escape.index) : raw
  const half = /(?:\\ud[89ab][\da-f]{2}|[\ud800-\udbff])$/i.exec(cut)
  return half && !isEscaped(cut, 0, half.index) ? cut.slice(0, half.index) : cut
}

function decode(raw: string, closed: boolean): string {
  const whole = closed ? raw : undangled(raw)
  const value = parseJson(`"${whole}"`)
  return typeof value === 'string' ? value : decodeLoosely(whole)
}

const meanings: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function decodeLoosely(raw: string): string {
  return raw.replace(/\\(?:u([\da-f]{4})|([^u]))/gis, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined
      ? (lookup(meanings, letter ?? '') ?? letter ?? '')
      : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

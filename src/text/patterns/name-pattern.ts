/** Reads the characters of a path pattern: `*`, `?`, lists such as `[!a-z]` and `[[:digit:]]`, and `\` before one that is itself. */
import type { Starred } from './stars.ts'

/** Both ends belong to a range. */
type CharacterRange = readonly [from: string, to: string]

/** A character is itself, or one that the ranges have, or have not. */
export type CharacterTest = string | { isNegated: boolean; ranges: readonly CharacterRange[] }

/** The pattern of one name of a path. A text is exactly this name. */
export type NamePattern = string | Starred<CharacterTest>

/** A `?`: not one of none. */
const ANY: CharacterTest = { isNegated: true, ranges: [] }

/**
 * The names of a pattern between its slashes; null if it can match nothing. A slash in a list separates no names. `isFolded`: it is
 * compared with names in lower case.
 */
export function readNamePatterns(pattern: string, isFolded: boolean): NamePattern[] | null {
  const units = Array.from(pattern)
  const names: (CharacterTest | null)[][] = [[]]
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? ''
    const name = names.at(-1)
    if (unit === '/') names.push([])
    else if (unit === '*') name?.push(null)
    else if (unit === '?') name?.push(ANY)
    else if (unit === '\\') {
      const next = units[++at]
      if (next === undefined) return null
      if (next === '/') names.push([])
      else name?.push(next)
    } else if (unit === '[') {
      const list = readList(units, at + 1, isFolded)
      if (list === null) return null
      name?.push(list.test)
      at = list.end
    } else name?.push(unit)
  }
  return names.map(name => (name.every(part => typeof part === 'string') ? name.join('') : name))
}

/** The list whose first character is at `start`; `end` is where its closing bracket is. */
function readList(
  units: readonly string[],
  start: number,
  isFolded: boolean,
): { test: CharacterTest; end: number } | null {
  const isNegated = /^[!^]$/.test(units[start] ?? '')
  const first = isNegated ? start + 1 : start
  const ranges: CharacterRange[] = []
  /** The character that a `-` after it makes the beginning of a range. */
  let before: string | null = null
  for (let at = first; at < units.length; at++) {
    const unit = units[at] ?? ''
    // The first one is in the list: `[]a]`.
    if (unit === ']' && at > first) return { test: { isNegated, ranges }, end: at }
    const named = unit === '[' && units[at + 1] === ':' ? readClass(units, at + 2, isFolded) : undefined
    if (named === null) return null
    if (named) {
      ranges.push(...named.ranges)
      before = null
      at = named.end
    } else if (unit === '-' && before !== null && units[at + 1] !== undefined && units[at + 1] !== ']') {
      at += units[at + 1] === '\\' ? 2 : 1
      const to = units[at]
      if (to === undefined) return null
      ranges.push([before, to])
      before = null
    } else {
      const own = unit === '\\' ? units[++at] : unit
      if (own === undefined) return null
      ranges.push([own, own])
      before = own
    }
  }
  return null
}

/** The ranges of `[:digit:]` and others, each as its two ends. Those of git have ASCII only, and no slash. */
const classes: ReadonlyMap<string, string> = new Map([
  ['alnum', '09AZaz'],
  ['alpha', 'AZaz'],
  ['blank', '  \t\t'],
  ['cntrl', '\u0000\u001f\u007f\u007f'],
  ['digit', '09'],
  ['graph', '!~'],
  ['lower', 'az'],
  ['print', ' ~'],
  ['punct', '!/:@[`{~'],
  ['space', '  \t\n\r\r'],
  ['upper', 'AZ'],
  ['xdigit', '09AFaf'],
])

/** Undefined where no name of a class is meant, null for one that does not exist. */
function readClass(
  units: readonly string[],
  start: number,
  isFolded: boolean,
): { ranges: readonly CharacterRange[]; end: number } | null | undefined {
  const end = units.indexOf(']', start)
  if (end < 0) return null
  if (end === start || units[end - 1] !== ':') return undefined
  const name = units.slice(start, end - 1).join('')
  const ends = classes.get(isFolded && name === 'upper' ? 'lower' : name)
  if (ends === undefined) return null
  const ranges = (ends.match(/../gs) ?? []).map((pair): CharacterRange => [pair.charAt(0), pair.charAt(1)])
  return { ranges, end }
}

/** Completion at the caret: what is being typed, and which candidates match it. */
import { go, single } from 'fuzzysort'
import type { TextRange } from './editor.ts'

/** `query` is what was typed up to the caret; `range` is what a chosen candidate takes the place of. */
export type Completion =
  /** `/com`: the range has the slash. */
  | { readonly kind: 'slash'; readonly query: string; readonly range: TextRange }
  /** `/model son`: the range is the rest of the line. */
  | { readonly kind: 'slash-argument'; readonly command: string; readonly query: string; readonly range: TextRange }
  /** `@src/ma` or, where a path has blanks, `@"my doc`: the range has the sign and the quotes. */
  | { readonly kind: 'file'; readonly query: string; readonly range: TextRange }

/** Characters before the caret that are searched; no path is longer. */
const PATH_REACH = 1024

/** The completion at the caret, or null. A path wins over a command's argument. */
export function completionAt(text: string, caret: number): Completion | null {
  return fileAt(text, caret) ?? slashAt(text, caret)
}

/** Commands are completed in the first line only, and a name with a second slash is a path that someone writes about. */
function slashAt(text: string, caret: number): Completion | null {
  if (!text.startsWith('/') || caret === 0) return null
  const newline = text.indexOf('\n')
  const line = newline < 0 ? text : text.slice(0, newline)
  if (caret > line.length) return null
  const parts = /^\/([^\s/]*)(\s*)/u.exec(line)
  const nameEnd = 1 + (parts?.[1] ?? '').length
  const blanks = parts?.[2] ?? ''
  if (blanks === '' && nameEnd < line.length) return null
  if (caret <= nameEnd) return { kind: 'slash', query: line.slice(1, caret), range: { start: 0, end: nameEnd } }
  const start = Math.min(nameEnd + blanks.length, caret)
  const range = { start, end: line.length }
  return { kind: 'slash-argument', command: line.slice(1, nameEnd), query: line.slice(start, caret), range }
}

/** An `@` counts after a blank or an opening sign, so that an e-mail address is left alone. */
function fileAt(text: string, caret: number): Completion | null {
  const from = Math.max(0, caret - PATH_REACH)
  const before = text.slice(from, caret)
  const found = /(?:^|[\s([{<"'`])@("[^"\n]*|[^\s"]*)$/u.exec(before)
  if (found === null) return null
  const typed = found[1] ?? ''
  const start = caret - typed.length - 1
  if (start === from && from > 0) return null
  const quoted = typed.startsWith('"')
  const rest = (quoted ? /^[^"\n]*"?/u : /^[^\s"]*/u).exec(text.slice(caret, caret + PATH_REACH))?.[0] ?? ''
  // An open quote would swallow the rest of the line: only a closed one has a rest.
  const end = caret + (quoted && !rest.endsWith('"') ? 0 : rest.length)
  return { kind: 'file', query: quoted ? typed.slice(1) : typed, range: { start, end } }
}

export interface Ranked<T> {
  readonly item: T
  /** The offsets in the item's name that the query matched, rising: for highlighting. */
  readonly positions: readonly number[]
}

export interface Match {
  /** From 0 to 1, for an exact match. */
  readonly score: number
  /** The offsets in the name that were matched, in UTF-16 units, rising. */
  readonly positions: readonly number[]
}

/** Characters of a name that are searched. */
const REACH = 1000

/** Matches the letters of a query in their order, each word on its own, in any case; null when one is missing. */
export function match(query: string, name: string): Match | null {
  if (query.trim() === '') return { score: 0, positions: [] }
  const found = single(query, name.slice(0, REACH))
  return found && { score: found.score, positions: found.indexes }
}

/** Scores this close differ by the length of the names: then the place decides, where items have one. */
const CLOSE = 0.1

/** At most this many items are ranked: nobody goes through more. */
export const MOST_RANKED = 1000

/** At most this many items that have the letters are compared, in their order; so a key in a list of 100,000 stays fast. */
const MOST_COMPARED = 5000
const BEYOND_ASCII = /[^\u0000-\u007F]/
type NameMatch<T> = { item: T; index: number; name: string }

/** The best matches, at most `MOST_RANKED`, and the number of all. */
export type Matches<T> = readonly Ranked<T>[] & { readonly total: number }

/**
 * The items whose names match the query, best first. With `placeOf`, of items that match about equally the one with the
 * smaller place comes first; of equals the shorter name, then the earlier item. An empty query keeps all in their order.
 */
export function rank<T>(
  query: string,
  items: readonly T[],
  nameOf: (item: T) => string,
  placeOf?: (item: T) => number,
): Matches<T> {
  if (query.trim() === '') return unranked(items.slice(0, MOST_RANKED), items.length)
  const words = wordsIn(query)
  const wanted = query.toLowerCase()
  // Names with the query in one piece are compared first: they are the best matches.
  const whole: NameMatch<T>[] = []
  const scattered: NameMatch<T>[] = []
  let matching = 0
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as T
    const name = nameOf(item).slice(0, REACH)
    const text = name.toLowerCase()
    const isWhole = text.includes(wanted)
    if (!isWhole && !mayMatch(words, text)) continue
    matching += 1
    const group = isWhole ? whole : scattered
    if (group.length < MOST_COMPARED) group.push({ item, index, name })
  }
  const candidates = [...whole, ...scattered].slice(0, MOST_COMPARED)
  let leader = Number.POSITIVE_INFINITY
  const found = go(query, candidates, { key: 'name', limit: MOST_RANKED, threshold: 0 })
  const best = found
    .map(({ obj: { item, index, name }, score, indexes: positions }) => {
      if (!placeOf || leader - score > CLOSE) leader = score
      return { item, index, positions, score: leader, place: placeOf?.(item) ?? 0, length: name.length }
    })
    .toSorted((a, b) => b.score - a.score || a.place - b.place || a.length - b.length || a.index - b.index)
    .map(({ item, positions }) => ({ item, positions }))
  return Object.assign(best, { total: matching > MOST_COMPARED ? matching : found.total })
}

const nowhere: readonly number[] = []

/** Items in their order, as matches. */
export function unranked<T>(items: readonly T[], total = items.length): Matches<T> {
  return Object.assign(
    items.map(item => ({ item, positions: nowhere })),
    { total },
  )
}

/** Whether a name in lower case has the letters of each word in their order. Letters beyond ASCII have accents, which are not compared here. */
function mayMatch(words: readonly string[], text: string): boolean {
  return BEYOND_ASCII.test(text) || words.every(word => BEYOND_ASCII.test(word) || hasLetters(word, text))
}

function hasLetters(word: string, text: string): boolean {
  let at = -1
  for (const letter of word) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}

/** The words of a filter, in lower case. */
export function wordsIn(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}

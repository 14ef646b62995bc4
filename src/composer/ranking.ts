/** The candidates that match what is typed, best first. */
import { go, single } from 'fuzzysort'
import { wordsIn } from './filter.ts'

export interface Ranked<T> {
  readonly item: T
  /** The offsets in the item's name that the query matched, rising: for highlighting. */
  readonly positions: readonly number[]
}

export interface Match {
  /** From 0 to 1; 1 is an exact match. */
  readonly score: number
  /** The offsets in the name that were matched, in UTF-16 units, rising. */
  readonly positions: readonly number[]
}

/** Characters of a name that are searched. */
const REACH = 1000

/** Matches the letters of a query in their order, each word on its own, in any case; null if one is missing. */
export function match(query: string, name: string): Match | null {
  if (query.trim() === '') return { score: 0, positions: [] }
  const found = single(query, name.slice(0, REACH))
  return found && { score: found.score, positions: found.indexes }
}

/** Scores this close differ by the length of the names: then the place decides, if items have one. */
const CLOSE = 0.1

/** At most this many items are ranked: more would not be read. */
export const MOST_RANKED = 1000

/** At most this many items that have the letters are compared, so that a key in a list of 100,000 stays fast. */
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
  const lowerQuery = query.toLowerCase()
  // Names with the query in one piece are compared first: they are the best matches.
  const whole: NameMatch<T>[] = []
  const scattered: NameMatch<T>[] = []
  let matching = 0
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as T
    const name = nameOf(item).slice(0, REACH)
    const text = name.toLowerCase()
    const isWhole = text.includes(lowerQuery)
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

/**
 * Whether a lower-case name may have the letters of each word in their order; letters beyond ASCII may have accents.
 */
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

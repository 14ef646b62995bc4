/** The part of a text that shows why it was found. */
import type { Sought } from './query.ts'
import { wordsOf, type WordPlace } from './words.ts'

export type Excerpt = {
  /** On one line. */
  excerpt: string
  /** Ranges of UTF-16 units in the excerpt. */
  matches: readonly (readonly [from: number, to: number])[]
  /** How well it fits, from 0 to 1: the words stand together, and whole. */
  fit: number
}

type FoundWord = WordPlace & { of: number; isWhole: boolean }

/** UTF-16 units of an excerpt, and of those before its first match. */
const LENGTH = 240
const BEFORE = 60
/** Matches of a text that are looked at. */
const MOST_MATCHES = 2000

/** Null if the text does not have all that is sought. */
export function excerptOf(text: string, sought: Sought): Excerpt | null {
  const needed = [...sought.words, ...(sought.beginning === null ? [] : [sought.beginning])]
  if (needed.length === 0) return { ...around(text, 0, []), fit: 0 }
  const all = matchesIn(text, sought, needed)
  if (new Set(all.map(({ of }) => of)).size < needed.length) return null
  const best = closest(all, needed.length)
  const [first] = best
  const span = (best.at(-1)?.to ?? 0) - (first?.from ?? 0)
  const least = needed.reduce((sum, word) => sum + word.length + 1, -1)
  const whole = best.filter(({ isWhole }) => isWhole).length / Math.max(1, best.length)
  return { ...around(text, first?.from ?? 0, all), fit: (0.7 * least) / Math.max(least, span) + 0.3 * whole }
}

function matchesIn(text: string, { words, beginning }: Sought, needed: readonly string[]): FoundWord[] {
  const numbers = new Map(words.map((word, index) => [word, index]))
  const found: FoundWord[] = []
  for (const place of wordsOf(text)) {
    const of = numbers.get(place.word)
    if (of !== undefined) found.push({ ...place, of, isWhole: true })
    if (beginning !== null && place.word.startsWith(beginning) && of === undefined)
      found.push({ ...place, of: needed.length - 1, isWhole: place.word === beginning })
    if (found.length >= MOST_MATCHES && new Set(found.map(match => match.of)).size === needed.length) break
  }
  // A word may be both: `the th` is found in `the`.
  if (beginning !== null && !found.some(({ of }) => of === needed.length - 1)) {
    const both = found.find(({ word }) => word.startsWith(beginning))
    if (both) found.push({ ...both, of: needed.length - 1 })
  }
  return found
}

/** The shortest run of matches that has each of them. */
function closest(matches: readonly FoundWord[], count: number): readonly FoundWord[] {
  const counts = new Map<number, number>()
  let best: readonly [number, number] = [0, matches.length]
  let shortest = Infinity
  let from = 0
  for (const [index, { of, to }] of matches.entries()) {
    counts.set(of, (counts.get(of) ?? 0) + 1)
    for (let first = matches[from]; counts.size === count && first; first = matches[from]) {
      if (to - first.from < shortest) {
        shortest = to - first.from
        best = [from, index + 1]
      }
      const left = (counts.get(first.of) ?? 0) - 1
      if (left === 0) counts.delete(first.of)
      else counts.set(first.of, left)
      from += 1
    }
  }
  return matches.slice(...best)
}

/** The text around a place on one line, with the matches in it. */
function around(text: string, place: number, matches: readonly FoundWord[]): Pick<Excerpt, 'excerpt' | 'matches'> {
  const from = startOfWord(text, Math.max(0, place - BEFORE), place)
  const to = endOfWord(text, Math.min(text.length, from + LENGTH))
  let excerpt = from > 0 ? '…' : ''
  const ranges: [number, number][] = []
  let at = from
  const copy = (end: number): void => {
    const piece = text.slice(at, end).replaceAll(/\s+/g, ' ')
    excerpt += excerpt === '' || excerpt.endsWith(' ') ? piece.trimStart() : piece
    at = end
  }
  for (const match of matches.toSorted((a, b) => a.from - b.from)) {
    if (match.from < at || match.to > to) continue
    copy(match.from)
    const begin = excerpt.length
    copy(match.to)
    ranges.push([begin, excerpt.length])
  }
  copy(to)
  return { excerpt: to < text.length ? `${excerpt.trimEnd()}…` : excerpt.trimEnd(), matches: ranges }
}

/** The first place from `from` on at which a word begins, but not after `most`. */
function startOfWord(text: string, from: number, most: number): number {
  if (from === 0) return 0
  const space = text.slice(from, most).search(/\s/)
  return space < 0 ? from + (isLow(text, from) ? 1 : 0) : from + space + 1
}

function endOfWord(text: string, to: number): number {
  if (to >= text.length) return text.length
  const space = text.slice(to - 30, to).search(/\s\S*$/)
  return space < 0 ? to - (isLow(text, to) ? 1 : 0) : to - 30 + space
}

/** Whether a place is in the middle of a character of two units. */
function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The best places for the letters of a query in a path. Places are those in the index's `codes`. */
import { SLASH, type PathIndex } from './path-index.ts'
import type { PathQuery } from './score.ts'

/**
 * The place where the letters stand together, or -1. Best is the start of the name, or of a folder if they reach into the name; then a
 * word in the name, anywhere in the name, the start of a folder, anywhere. Of equals in the name the first, else the last.
 */
export function placeTogether(query: PathQuery, index: PathIndex, at: number): number {
  const name = index.names[at] ?? 0
  // Only a query with a folder in it can begin before the name and reach into it.
  const inName = query.hasFolder ? -1 : bestTogether(query, index, at, name)
  return inName >= 0 ? inName : bestTogether(query, index, at, index.starts[at] ?? 0)
}

function bestTogether(query: PathQuery, index: PathIndex, at: number, from: number): number {
  const { codes } = index
  const wanted = query.codes
  const first = wanted[0]
  const name = index.names[at] ?? 0
  const end = (index.starts[at + 1] ?? 0) - wanted.length
  let best = -1
  let bestRank = -1
  for (let place = from; place <= end; place += 1) {
    if (codes[place] !== first) continue
    let i = 1
    while (i < wanted.length && codes[place + i] === wanted[i]) i += 1
    if (i < wanted.length || !suitsCase(query, index, at, place)) continue
    const rank = rankOf(index, at, place, place + wanted.length > name)
    if (rank < bestRank || (rank === bestRank && place >= name)) continue
    best = place
    bestRank = rank
    if (rank === BEST) break
  }
  return best
}

const BEST = 4

function rankOf(index: PathIndex, at: number, place: number, reachesName: boolean): number {
  const startsFolder = place === (index.starts[at] ?? 0) || index.codes[place - 1] === SLASH
  if (!reachesName) return startsFolder ? 1 : 0
  if (startsFolder) return BEST
  return startsWord(index, at, place) ? 3 : 2
}

/** `good` counts the letters that start a word or follow the one before; `spread` is from the first to the last. */
export type Scattered = { places: Int32Array; good: number; spread: number }

/**
 * The places of the letters in their order, from `from` on; null where they do not. Of the places that leave room for the
 * letters after it, each takes the first that is next to the one before or at the start of a word, else the first.
 */
export function placeScattered(query: PathQuery, index: PathIndex, at: number, from: number): Scattered | null {
  const wanted = query.codes
  const places = latestPlaces(query, index, at, from)
  if (places === null) return null
  let good = 0
  let next = from
  for (let i = 0; i < wanted.length; i += 1) {
    const latest = places[i] ?? next
    let found = -1
    let isGood = false
    for (let place = next; place <= latest && !isGood; place += 1) {
      if (!isLetter(query, i, index, at, place)) continue
      isGood = (i > 0 && place === next) || startsWord(index, at, place)
      if (isGood || found < 0) found = place
    }
    if (isGood) good += 1
    places[i] = found
    next = found + 1
  }
  return { places, good, spread: next - (places[0] ?? from) }
}

/** For each letter the last place that leaves room for those after it. */
function latestPlaces(query: PathQuery, index: PathIndex, at: number, from: number): Int32Array | null {
  const places = new Int32Array(query.codes.length)
  let place = (index.starts[at + 1] ?? 0) - 1
  for (let i = places.length - 1; i >= 0; i -= 1) {
    while (place >= from && !isLetter(query, i, index, at, place)) place -= 1
    if (place < from) return null
    places[i] = place
    place -= 1
  }
  return places
}

function isLetter(query: PathQuery, i: number, index: PathIndex, at: number, place: number): boolean {
  return index.codes[place] === query.codes[i] && suitsCapital(query, i, index, at, place)
}

function suitsCase(query: PathQuery, index: PathIndex, at: number, place: number): boolean {
  if (query.capitals === null) return true
  for (let i = 0; i < query.codes.length; i += 1) if (!suitsCapital(query, i, index, at, place + i)) return false
  return true
}

function suitsCapital({ capitals }: PathQuery, i: number, index: PathIndex, at: number, place: number): boolean {
  const capital = capitals?.[i] ?? 0
  return capital === 0 || originalCode(index, at, place) === capital
}

/** After a sign, or where a capital follows a small letter. */
export function startsWord(index: PathIndex, at: number, place: number): boolean {
  if (place === (index.starts[at] ?? 0)) return true
  const before = originalCode(index, at, place - 1)
  if (before === SLASH || before === 46 || before === 45 || before === 95 || before === 32) return true
  const code = originalCode(index, at, place)
  return code >= 65 && code <= 90 && before >= 97 && before <= 122
}

function originalCode({ paths, starts }: PathIndex, at: number, place: number): number {
  return paths[at]?.charCodeAt(place - (starts[at] ?? 0)) ?? 0
}

/** The score of a path for a query. Higher is better; scores compare only within one query. */
import { foldCode, letterBit, SLASH, type PathIndex } from './path-index.ts'
import { placeScattered, placeTogether, startsWord } from './placing.ts'

export type PathQuery = {
  /** As typed, with `/` between folders. */
  readonly typed: string
  /** In lower case. */
  readonly codes: Uint16Array
  readonly letters: number
  /** A capital that was typed stands for itself, a small letter for both: the capitals, and 0 in the place of others. */
  readonly capitals: Uint16Array | null
  readonly capitalLetters: number
  readonly hasFolder: boolean
}

/** Characters of a query that count. */
const LONGEST = 500

const EXACT_NAME = 5000
const NAME_START = 4000
const WORD_START = 3500
const IN_NAME = 3200
const WHOLE_FOLDER = 3100
const FOLDER_START = 3000
const IN_PATH = 2000
/** At its best, with each letter at the start of a word, just below the start of a folder. */
const SCATTERED_IN_NAME = 1500
const SCATTERED = 1450

/** The score of a path that does not match. */
export const NO_MATCH = -1

export function createQuery(text: string): PathQuery {
  const typed = text.replaceAll('\\', '/').replace(/^\.\//, '').slice(0, LONGEST)
  const original = Uint16Array.from({ length: typed.length }, (_, at) => typed.charCodeAt(at))
  const codes = original.map(foldCode)
  const capitals = original.map((code, at) => (code === codes[at] ? 0 : code))
  return {
    typed,
    codes,
    letters: codes.reduce((bits, code) => bits | letterBit(code), 0),
    capitals: capitals.some(code => code !== 0) ? capitals : null,
    capitalLetters: codes.reduce((bits, code, at) => (capitals[at] === 0 ? bits : bits | letterBit(code)), 0),
    hasFolder: codes.includes(SLASH),
  }
}

/**
 * The score of a path of the index. A match that cannot score more than `floor` may score 0: a caller that keeps only
 * the best has no use for more. Without anything typed, what is near the top is best.
 */
export function scorePath(query: PathQuery, index: PathIndex, at: number, floor: number): number {
  if ((query.letters & ~(index.letters[at] ?? 0)) !== 0) return NO_MATCH
  if ((query.capitalLetters & ~(index.capitals[at] ?? 0)) !== 0) return NO_MATCH
  if (query.codes.length === 0) return 1000 - depthOf(index, at)
  const together = placeTogether(query, index, at)
  if (together >= 0) return worthTogether(query, index, at, together)
  const start = index.starts[at] ?? 0
  const name = index.names[at] ?? 0
  const inName = holds(query, index, at, name)
  if (!inName && !holds(query, index, at, start)) return NO_MATCH
  const least = inName ? SCATTERED_IN_NAME : 0
  if (query.capitals === null && least + SCATTERED <= floor) return 0
  const places = placeScattered(query, index, at, inName ? name : start)
  // The letters are there, but not in the case that was typed.
  if (places === null) return inName ? scoreInPath(query, index, at) : NO_MATCH
  return least + worthScattered(query, places)
}

/** The matched offsets in a matching path, rising: for highlighting. */
export function positionsIn(query: PathQuery, index: PathIndex, at: number): number[] {
  const { length } = query.codes
  const start = index.starts[at] ?? 0
  if (length === 0) return []
  const together = placeTogether(query, index, at)
  if (together >= 0) return Array.from({ length }, (_, i) => together - start + i)
  const places = placeScattered(query, index, at, index.names[at] ?? 0) ?? placeScattered(query, index, at, start)
  return places === null ? [] : Array.from(places.places, place => place - start)
}

function scoreInPath(query: PathQuery, index: PathIndex, at: number): number {
  const places = placeScattered(query, index, at, index.starts[at] ?? 0)
  return places === null ? NO_MATCH : worthScattered(query, places)
}

function worthScattered({ codes }: PathQuery, { good, spread }: { good: number; spread: number }): number {
  return Math.round(SCATTERED * (0.8 * (good / codes.length) + 0.2 * (codes.length / spread)))
}

/** For a place in `codes` from which on the letters stand together. */
function worthTogether(query: PathQuery, index: PathIndex, at: number, place: number): number {
  const { codes, names, starts } = index
  const start = starts[at] ?? 0
  const end = starts[at + 1] ?? 0
  const name = names[at] ?? 0
  const after = place + query.codes.length
  const startsFolder = place === start || codes[place - 1] === SLASH
  if (after <= name) {
    if (!startsFolder) return IN_PATH
    return codes[after] === SLASH || codes[after - 1] === SLASH ? WHOLE_FOLDER : FOLDER_START
  }
  if (!startsFolder) return place > name && startsWord(index, at, place) ? WORD_START : IN_NAME
  // `main` is all of `main.ts`, and `src` or `src/` all of a directory.
  const isWhole = after >= end || codes[after] === DOT || (codes[after] === SLASH && after === end - 1)
  return isWhole ? EXACT_NAME : NAME_START
}

const DOT = 46

/** Whether the letters are there in their order, in whatever case. */
function holds({ codes: wanted }: PathQuery, { codes, starts }: PathIndex, at: number, from: number): boolean {
  const end = starts[at + 1] ?? 0
  let i = 0
  for (let place = from; place < end && i < wanted.length; place += 1) if (codes[place] === wanted[i]) i += 1
  return i === wanted.length
}

function depthOf({ codes, starts, names }: PathIndex, at: number): number {
  const name = names[at] ?? 0
  let depth = 0
  for (let place = starts[at] ?? 0; place < name; place += 1) if (codes[place] === SLASH) depth += 1
  return depth
}

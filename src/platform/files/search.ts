/** Finds the paths that match a query, best first. Works in steps, so that half a million paths do not block the program. */
import { type PathIndex } from './path-index.ts'
import { createQuery, positionsIn, scorePath, NO_MATCH, type PathQuery } from './score.ts'

export type FileMatch = {
  /** A directory ends with a slash. */
  path: string
  /** The offsets in the path, in UTF-16 units, that the query matched, rising: for highlighting. */
  positions: readonly number[]
}

export type FileSearch = {
  /** The query as typed. */
  readonly text: string
  readonly query: PathQuery
  readonly index: PathIndex
  /** Searches up to `count` more paths. Returns whether it has now seen all that the index holds; the index may grow. */
  advance: (count: number) => boolean
  /** The best of those seen so far, best first. */
  matches: () => FileMatch[]
  /** How many of the paths seen so far match. */
  total: () => number
  /** The index positions of the matches, and how many paths were seen: for `narrowing`. */
  readonly suited: readonly number[]
  seen: () => number
}

export type SearchOptions = {
  /** Most recently used first. */
  recent?: readonly string[]
  /** How many are wanted. */
  limit: number
  /** A search of the same index whose query begins this one: paths that did not match it are skipped. */
  narrowing?: FileSearch
}

/** The bonus of a recently used path: it is listed before equal and slightly better matches. */
const RECENT = 1500

type Candidate = { at: number; path: string; score: number }

/** The search begins at the first `advance`. */
export function createSearch(
  text: string,
  index: PathIndex,
  { recent = [], limit, narrowing }: SearchOptions,
): FileSearch {
  const query = createQuery(text)
  const ranks = new Map(recent.map((path, rank) => [path, rank] as const).toReversed())
  const from = narrowing !== undefined && canNarrow(narrowing, query, index) ? narrowing : null
  const known = from?.seen() ?? 0
  const knownSuited = from?.suited.slice() ?? []
  const suited: number[] = []
  const best: Candidate[] = []
  let nextKnown = 0
  let next = known

  function look(at: number): void {
    const path = index.paths[at] ?? ''
    const rank = ranks.size === 0 ? undefined : ranks.get(path)
    const floor = best.length < limit ? 0 : (best.at(-1)?.score ?? 0)
    const score = scorePath(query, index, at, rank === undefined ? floor : 0)
    if (score === NO_MATCH) return
    suited.push(at)
    if (score < floor && rank === undefined) return
    keep(best, { at, path, score: rank === undefined ? score : score + RECENT - Math.min(rank, 400) }, limit)
  }

  return {
    text,
    query,
    index,
    suited,
    advance(count) {
      let left = count
      for (; nextKnown < knownSuited.length && left > 0; left -= 1) {
        look(knownSuited[nextKnown] ?? 0)
        nextKnown += 1
      }
      for (; next < index.names.length && left > 0; left -= 1) {
        look(next)
        next += 1
      }
      return nextKnown === knownSuited.length && next === index.names.length
    },
    matches: () => best.map(({ at, path }) => ({ path, positions: positionsIn(query, index, at) })),
    total: () => suited.length,
    // Until all known matches are checked, only the beginning is sure to be complete.
    seen: () => (nextKnown === knownSuited.length ? next : (knownSuited[nextKnown] ?? 0)),
  }
}

function canNarrow(search: FileSearch, query: PathQuery, index: PathIndex): boolean {
  return search.index === index && query.typed.startsWith(search.query.typed)
}

/** Inserts a candidate among the best, if it is one of them. */
function keep(best: Candidate[], candidate: Candidate, limit: number): void {
  const last = best.at(-1)
  if (best.length >= limit && (last === undefined || !goesBefore(candidate, last))) return
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = best[middle]
    if (other !== undefined && goesBefore(other, candidate)) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, candidate)
  if (best.length > limit) best.pop()
}

/** With equal scores the shorter path is first, then alphabetical order. */
function goesBefore(a: Candidate, b: Candidate): boolean {
  if (a.score !== b.score) return a.score > b.score
  if (a.path.length !== b.path.length) return a.path.length < b.path.length
  return a.path < b.path
}

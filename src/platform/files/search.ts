/** Matching paths, best first. The search runs in steps, so that half a million paths do not delay a key. */
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
  /** Looks at up to `count` more paths. Returns whether it has now seen all that the index holds; more may come into it. */
  advance: (count: number) => boolean
  /** The best of those seen so far, best first. */
  matches: () => FileMatch[]
  /** The number of matches so far. */
  total: () => number
  /** The matches' places in the index, and the number of paths searched: for `narrowing`. */
  readonly matched: readonly number[]
  seen: () => number
}

export type SearchOptions = {
  /** Most recently used first. */
  recent?: readonly string[]
  /** The most results. */
  limit: number
  /** A search of the same index whose query this one begins with: its misses are not searched again. */
  narrowing?: FileSearch
}

/** The bonus of a recently used path: it comes before equal and slightly better matches. */
const RECENT = 1500

type Candidate = { at: number; path: string; score: number }

/** Sees nothing before the first `advance`. */
export function createSearch(
  text: string,
  index: PathIndex,
  { recent = [], limit, narrowing }: SearchOptions,
): FileSearch {
  const query = createQuery(text)
  const ranks = new Map(recent.map((path, rank) => [path, rank] as const).toReversed())
  const from = narrowing !== undefined && canNarrow(narrowing, query, index) ? narrowing : null
  const known = from?.seen() ?? 0
  const knownMatches = from?.matched.slice() ?? []
  const matched: number[] = []
  const best: Candidate[] = []
  let nextKnown = 0
  let next = known

  function look(at: number): void {
    const path = index.paths[at] ?? ''
    const rank = ranks.size === 0 ? undefined : ranks.get(path)
    const floor = best.length < limit ? 0 : (best.at(-1)?.score ?? 0)
    const score = scorePath(query, index, at, rank === undefined ? floor : 0)
    if (score === NO_MATCH) return
    matched.push(at)
    if (score < floor && rank === undefined) return
    keep(best, { at, path, score: rank === undefined ? score : score + RECENT - Math.min(rank, 400) }, limit)
  }

  return {
    text,
    query,
    index,
    matched,
    advance(count) {
      let left = count
      for (; nextKnown < knownMatches.length && left > 0; left -= 1) {
        look(knownMatches[nextKnown] ?? 0)
        nextKnown += 1
      }
      for (; next < index.names.length && left > 0; left -= 1) {
        look(next)
        next += 1
      }
      return nextKnown === knownMatches.length && next === index.names.length
    },
    matches: () => best.map(({ at, path }) => ({ path, positions: positionsIn(query, index, at) })),
    total: () => matched.length,
    // While the known ones are not all looked at, only the beginning is sure to be complete.
    seen: () => (nextKnown === knownMatches.length ? next : (knownMatches[nextKnown] ?? 0)),
  }
}

function canNarrow(search: FileSearch, query: PathQuery, index: PathIndex): boolean {
  return search.index === index && query.typed.startsWith(search.query.typed)
}

/** Puts a candidate in its place among the best, if it is one of them. */
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

/** Equal scores are ordered by length, then by the alphabet. */
function goesBefore(a: Candidate, b: Candidate): boolean {
  if (a.score !== b.score) return a.score > b.score
  if (a.path.length !== b.path.length) return a.path.length < b.path.length
  return a.path < b.path
}

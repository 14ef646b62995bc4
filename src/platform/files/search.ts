/** Matching paths, best first. The search runs in steps, so that half a million paths do not delay a key. */
import type { Paths } from './collection.ts'
import { createQuery, scorePath, type PathScore } from './score.ts'

export type FileMatch = {
  /** A directory ends with a slash. */
  path: string
  /** The offsets in the path, in UTF-16 units, that the query matched, rising: for highlighting. */
  positions: readonly number[]
}

export type FileSearch = {
  /** The query as typed. */
  readonly text: string
  readonly paths: Paths
  /** Looks at up to `count` more paths. Returns whether it has now seen all that there are; more may come. */
  advance: (count: number) => boolean
  /** The best of those seen so far, best first. */
  matches: () => FileMatch[]
}

export type SearchOptions = {
  /** Most recently used first. */
  recent?: readonly string[]
  /** The most results. */
  limit: number
}

/** The bonus of a recently used path: it comes before equal and slightly better matches. */
const RECENT = 1500

type PathMatch = PathScore & { path: string }

/** Sees nothing before the first `advance`. `paths` may grow at its end. */
export function createSearch(text: string, paths: Paths, { recent = [], limit }: SearchOptions): FileSearch {
  const query = createQuery(text)
  const ranks = new Map(recent.map((path, rank) => [path, rank] as const).toReversed())
  const best: PathMatch[] = []
  let next = 0

  function look(path: string): void {
    const rank = ranks.get(path)
    const floor = best.length < limit || rank !== undefined ? 0 : (best.at(-1)?.score ?? 0)
    const found = scorePath(query, path, floor)
    if (found === null || found.score < floor) return
    const bonus = rank === undefined ? 0 : RECENT - Math.min(rank, 400)
    keep(best, { path, score: found.score + bonus, positions: found.positions }, limit)
  }

  return {
    text,
    paths,
    advance(count) {
      for (const end = Math.min(paths.length, next + count); next < end; next += 1) look(paths[next] ?? '')
      return next === paths.length
    },
    matches: () => best.map(({ path, positions }) => ({ path, positions: positions() })),
  }
}

/** Puts a candidate in its place among the best, if it is one of them. */
function keep(best: PathMatch[], candidate: PathMatch, limit: number): void {
  const last = best.at(-1)
  if (last && best.length >= limit && !goesBefore(candidate, last)) return
  const at = best.findIndex(other => goesBefore(candidate, other))
  if (at >= 0) best.splice(at, 0, candidate)
  else if (best.length < limit) best.push(candidate)
  if (best.length > limit) best.pop()
}

/** Equal scores are ordered by length, then by the alphabet. */
function goesBefore(a: PathMatch, b: PathMatch): boolean {
  if (a.score !== b.score) return a.score > b.score
  if (a.path.length !== b.path.length) return a.path.length < b.path.length
  return a.path < b.path
}

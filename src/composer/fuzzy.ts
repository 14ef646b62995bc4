/**
 * Does a name hold the letters of a query in their order, and how well? For the short names of commands, models and the
 * like, of which the very best way to match is found. Half a million paths have a matcher of their own in `platform/files/score.ts`:
 * it knows folders and names, reads an index and not strings, and settles for a good way.
 */

export interface Match {
  /** Higher is better; only of use between matches of one query. */
  readonly score: number
  /** The offsets in the name that were matched, rising. */
  readonly positions: readonly number[]
}

const LETTER = 16
const TEXT_START = 12
const PATH_START = 10
const WORD_START = 8
const CONSECUTIVE = 10
const SAME_CASE = 1
const SKIPPED = 1
const IMPOSSIBLE = Number.NEGATIVE_INFINITY

/** Names are looked at no further than this. */
const REACH = 1000

/**
 * Matches each blank-separated part of the query on its own, in any case; null when one of them is not there. Of all the ways
 * to match, the best is taken: letters at the start, at word starts and next to each other count more, skipped ones less.
 */
export function match(query: string, name: string): Match | null {
  let score = 0
  const positions = new Set<number>()
  for (const part of query.split(/\s+/u)) {
    if (part === '') continue
    const found = matchPart(part, name.slice(0, REACH))
    if (found === null) return null
    score += found.score
    for (const position of found.positions) positions.add(position)
  }
  return { score, positions: [...positions].toSorted((a, b) => a - b) }
}

/** Whether names suit a query, without the best way for it: they have its words as they are, or their letters. */
export function quickMatch(query: string): (name: string) => 'whole' | 'letters' | null {
  const parts = query
    .split(/\s+/u)
    .filter(part => part !== '')
    .map(folded)
  return name => {
    const text = folded(name.slice(0, REACH))
    if (parts.every(part => text.includes(part))) return 'whole'
    return parts.every(part => holds(text, part)) ? 'letters' : null
  }
}

function matchPart(part: string, name: string): Match | null {
  const query = folded(part)
  const text = folded(name)
  if (!holds(text, query)) return null
  const worth = Array.from(name, (_, at) => startWorth(name, at))
  // best[at]: the best score with the letters so far matched and the last of them at `at`.
  let best: readonly number[] = []
  const came: (readonly number[])[] = []
  for (let i = 0; i < query.length; i += 1) {
    const row = matchLetter(
      i,
      best,
      at => (text[at] === query[i] ? LETTER + (worth[at] ?? 0) + (name[at] === part[i] ? SAME_CASE : 0) : IMPOSSIBLE),
      text.length,
    )
    best = row.best
    came.push(row.came)
  }
  return bestPath(best, came)
}

/** One letter more: for each place, the best score with it there, and the place of the letter before. */
function matchLetter(
  letter: number,
  before: readonly number[],
  worthAt: (at: number) => number,
  length: number,
): { best: readonly number[]; came: readonly number[] } {
  const best: number[] = []
  const came: number[] = []
  // The best of the places before, with what was skipped since taken off.
  let carried = letter === 0 ? 0 : IMPOSSIBLE
  let carriedFrom = -1
  for (let at = 0; at < length; at += 1) {
    const adjacent = letter === 0 || at === 0 ? IMPOSSIBLE : (before[at - 1] ?? IMPOSSIBLE) + CONSECUTIVE
    const from = adjacent > carried ? at - 1 : carriedFrom
    best.push(Math.max(adjacent, carried) + worthAt(at))
    came.push(from)
    carried -= SKIPPED
    if (letter > 0 && at > 0 && (before[at - 1] ?? IMPOSSIBLE) - SKIPPED > carried) {
      carried = (before[at - 1] ?? IMPOSSIBLE) - SKIPPED
      carriedFrom = at - 1
    }
  }
  return { best, came }
}

function bestPath(best: readonly number[], came: readonly (readonly number[])[]): Match | null {
  let at = 0
  for (let other = 1; other < best.length; other += 1)
    if ((best[other] ?? IMPOSSIBLE) > (best[at] ?? IMPOSSIBLE)) at = other
  const score = best[at] ?? IMPOSSIBLE
  if (score === IMPOSSIBLE) return null
  const positions: number[] = []
  for (const row of came.toReversed()) {
    positions.push(at)
    at = row[at] ?? 0
  }
  return { score, positions: positions.toReversed() }
}

function startWorth(name: string, at: number): number {
  if (at === 0) return TEXT_START
  const before = name[at - 1] ?? ''
  if (before === '/' || before === '\\') return PATH_START
  if (/[\s_.:@-]/u.test(before)) return WORD_START
  return /[a-z]/u.test(before) && /[A-Z]/u.test(name[at] ?? '') ? WORD_START : 0
}

/** A quick no for most names. */
function holds(text: string, query: string): boolean {
  let at = 0
  for (const letter of query) {
    const found = text.indexOf(letter, at)
    if (found < 0) return false
    at = found + letter.length
  }
  return true
}

/** Lower case, where that keeps every letter in its place. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

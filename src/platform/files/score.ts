/**
 * The score of a path for a query. Higher is better; scores compare only within one query. Names in lists are ranked by fuzzysort
 * (`composer/ranking.ts`). A path has folders and a name, which count differently. In 20,000 paths the meant one is among the first ten for
 * 69 of 100 short queries (parts and initials of names, a folder and a name), and for 56 with fuzzysort. That takes 4 ms a key instead of 9,
 * but needs 16 MB for its prepared paths; without these it takes 40 ms more.
 */

export type PathQuery = {
  /** Each unit of the query, as the units of a path that it stands for: `m` for m and M, `M` for itself only. */
  readonly letters: readonly string[]
  /** Finds the letters in their order. */
  readonly inOrder: RegExp
  /** Finds each place where the letters stand together. */
  readonly together: RegExp
}

export type PathScore = {
  score: number
  /** The matched offsets in the path, rising: for highlighting. */
  positions: () => number[]
}

/** Characters of a query that count. */
const LONGEST = 500

/** Scores by the place of the match. */
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

/** Reads a query, with `/` or `\` between folders. */
export function createQuery(text: string): PathQuery {
  const typed = text.replaceAll('\\', '/').replace(/^\.\//, '').slice(0, LONGEST)
  const letters = typed.split('').map(unit => {
    const capital = unit.toUpperCase()
    return unit === capital || capital.length > 1 ? unit : unit + capital
  })
  const classes = letters.map(units => units.replaceAll(/[^]/g, unit => `\\u${hex(unit)}`))
  return {
    letters,
    // Each letter's first place after the one before: nothing to try twice.
    inOrder: new RegExp(`^${classes.map(units => `[^${units}]*[${units}]`).join('')}`),
    together: new RegExp(`(?=${classes.map(units => `[${units}]`).join('')})`, 'g'),
  }
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

/**
 * The score of a path; null where it does not match. A match that cannot score more than `floor` may score 0: a caller that
 * keeps only the best has no use for more. Without anything typed, paths near the top are best.
 */
export function scorePath(query: PathQuery, path: string, floor: number): PathScore | null {
  const { letters, inOrder, together } = query
  if (!inOrder.test(path)) return null
  if (letters.length === 0)
    return { score: 1000 - path.slice(0, nameStart(path)).split('/').length, positions: () => [] }
  const name = nameStart(path)
  let best = -1
  let score = -1
  for (const { index } of path.matchAll(together)) {
    const worth = worthTogether(path, index, index + letters.length)
    // Ties go to the first in the name, else to the last.
    if (worth < score || (worth === score && index >= name)) continue
    best = index
    score = worth
  }
  if (best >= 0) return { score, positions: () => letters.map((_, at) => best + at) }
  const inName = inOrder.test(path.slice(name))
  const least = inName ? SCATTERED_IN_NAME : 0
  const place = (): Scattered => placeScattered(query, path, inName ? name : 0)
  const positions = (): number[] => place().places
  return { score: least + SCATTERED <= floor ? 0 : least + worthScattered(place()), positions }
}

/** The start of a path's last part; that of a directory ends with a slash. */
function nameStart(path: string): number {
  return path.lastIndexOf('/', path.length - 2) + 1
}

/** The score of a match from `start` to `end` of adjacent letters. */
function worthTogether(path: string, start: number, end: number): number {
  const name = nameStart(path)
  const startsFolder = start === 0 || path[start - 1] === '/'
  if (end <= name) {
    if (!startsFolder) return IN_PATH
    return path[end] === '/' || path[end - 1] === '/' ? WHOLE_FOLDER : FOLDER_START
  }
  if (!startsFolder) return start > name && startsWord(path, start) ? WORD_START : IN_NAME
  // `main` is all of `main.ts`, and `src` or `src/` all of a directory.
  const isWhole = end >= path.length || path[end] === '.' || (path[end] === '/' && end === path.length - 1)
  return isWhole ? EXACT_NAME : NAME_START
}

/** `good` counts the letters that start a word or follow the one before. */
type Scattered = { places: number[]; good: number }

/**
 * The places of the letters in their order, from `from` on. Of the places that leave room for the letters after it, each takes
 * the first that is next to the one before or at the start of a word, else the first.
 */
function placeScattered({ letters }: PathQuery, path: string, from: number): Scattered {
  const isLetter = (at: number, place: number): boolean => letters[at]?.includes(path.charAt(place)) === true
  // The last place of each letter that leaves room for those after it.
  const latest: number[] = []
  for (let at = letters.length - 1, place = path.length - 1; at >= 0; at -= 1, place -= 1) {
    while (place > from && !isLetter(at, place)) place -= 1
    latest[at] = place
  }
  const places: number[] = []
  let good = 0
  let next = from
  for (const [at, last] of latest.entries()) {
    let found = -1
    let isGood = false
    for (let place = next; place <= last && !isGood; place += 1) {
      if (!isLetter(at, place)) continue
      isGood = (at > 0 && place === next) || startsWord(path, place)
      if (isGood || found < 0) found = place
    }
    if (isGood) good += 1
    places.push(found)
    next = found + 1
  }
  return { places, good }
}

function worthScattered({ places, good }: Scattered): number {
  const spread = (places.at(-1) ?? 0) + 1 - (places[0] ?? 0)
  return Math.round(SCATTERED * (0.8 * (good / places.length) + 0.2 * (places.length / spread)))
}

/** Whether a word starts at the place: after a sign, or where a capital follows a small letter. */
function startsWord(path: string, at: number): boolean {
  return at === 0 || /^(?:[/._ -]|[a-z][A-Z])/.test(path.slice(at - 1, at + 1))
}

/** What is being completed at the caret, and which candidates suit it. */
import type { TextRange } from './editor.ts'
import { match, quickMatch } from './fuzzy.ts'

/** `query` is what was typed up to the caret; `range` is what a chosen candidate takes the place of. */
export type Completion =
  /** `/com`: the range has the slash. */
  | { readonly kind: 'slash'; readonly query: string; readonly range: TextRange }
  /** `/model son`: the range is the rest of the line. */
  | { readonly kind: 'slash-argument'; readonly command: string; readonly query: string; readonly range: TextRange }
  /** `@src/ma` or, where a path has blanks, `@"my doc`: the range has the sign and the quotes. */
  | { readonly kind: 'file'; readonly query: string; readonly range: TextRange }

/** No path is longer; what goes back further from the caret is not looked at. */
const PATH_REACH = 1024

/** What is being completed, or null. A path wins over a command's argument. */
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

/** An `@` counts after a blank or an opening sign, so that an address of mail is left alone. */
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

/**
 * The items whose name suits the query, best first; of equals the one with the smaller `placeOf`, then the shorter name, then
 * the earlier item.
 */
export function rank<T>(
  query: string,
  items: readonly T[],
  nameOf: (item: T) => string,
  placeOf: (item: T) => number = () => 0,
): readonly Ranked<T>[] {
  const found = likeliest(query, items, nameOf).flatMap(item => {
    const name = nameOf(item)
    const matched = match(query, name)
    if (matched === null) return []
    return [{ item, positions: matched.positions, score: matched.score, place: placeOf(item), length: name.length }]
  })
  if (query.trim() === '') return found.map(({ item, positions }) => ({ item, positions }))
  return found
    .toSorted((a, b) => b.score - a.score || a.place - b.place || a.length - b.length)
    .map(({ item, positions }) => ({ item, positions }))
}

/** Of more that suit, the best way to match is not looked for in all: nobody goes through so many. */
export const MOST_RANKED = 1000

/** Of very many items those that may suit, in their order: first those that have the words as they were typed. */
function likeliest<T>(query: string, items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  if (items.length <= MOST_RANKED) return items
  const suits = { whole: new Set<T>(), letters: new Set<T>() }
  const quick = quickMatch(query)
  for (const item of items) {
    const how = quick(nameOf(item))
    if (how !== null && suits[how].size < MOST_RANKED) suits[how].add(item)
    if (suits.whole.size === MOST_RANKED) break
  }
  const letters = new Set([...suits.letters].slice(0, MOST_RANKED - suits.whole.size))
  return items.filter(item => suits.whole.has(item) || letters.has(item))
}

/** The words of a filter, in lower case. */
export function wordsIn(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}

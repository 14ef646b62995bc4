/** Finds the changed words within changed lines. Places are counted in UTF-16 units, not in columns. */
import { diffArrays } from 'diff'
import { displayWidth, graphemes } from '../../text/lines/width.ts'
import type { DiffLine } from '../../text/diff-line.ts'

/** A range; `to` is the index after its end. */
export type ChangedRange = readonly [from: number, to: number]

/** Longer lines are data and are not compared. */
const LONGEST_LINE = 1000
/** With more changes than this, two lines count as unrelated. */
const MOST_CHANGES = 100
/** The number of lines that are searched for a line's partner. */
const REACH = 5
/** The share of a line that must be unchanged for the rest to be marked. */
const ALIKE = 0.4

/**
 * The changed places of each row, compared with the line that it replaced or that replaced it. Rows without such a partner
 * have none. `texts` are the rows as shown.
 */
export function changedPlaces(rows: readonly DiffLine[], texts: readonly string[]): ChangedRange[][] {
  const places: ChangedRange[][] = rows.map(() => [])
  let at = 0
  while (at < rows.length) {
    const removed = run(rows, at, '-')
    const added = run(rows, at + removed, '+')
    // Each removed line is paired, in order, with the first similar added line; lines in between have no partner.
    let from = at + removed
    for (let old = at; old < at + removed; old += 1) {
      const last = Math.min(from + REACH, at + removed + added)
      for (let next = from; next < last; next += 1) {
        const marks = compareLines(texts[old] ?? '', texts[next] ?? '')
        if (!marks) continue
        places[old] = marks.before
        places[next] = marks.after
        from = next + 1
        break
      }
    }
    at += Math.max(1, removed + added)
  }
  return places
}

function run(rows: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let to = from
  while (rows[to]?.sign === sign) to += 1
  return to - from
}

/** The differences between two lines; null if they are not similar. */
function compareLines(before: string, after: string): { before: ChangedRange[]; after: ChangedRange[] } | null {
  if (before.length > LONGEST_LINE || after.length > LONGEST_LINE) return null
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_CHANGES })
  if (!changes) return null
  const marks = { before: [] as ChangedRange[], after: [] as ChangedRange[] }
  let old = 0
  let next = 0
  let same = 0
  for (const { value, added, removed } of changes) {
    const text = value.join('')
    if (removed) mark(marks.before, old, text, before)
    if (added) mark(marks.after, next, text, after)
    if (!added && !removed) same += visibleWidth(text)
    if (!added) old += text.length
    if (!removed) next += text.length
  }
  return same >= Math.max(visibleWidth(before), visibleWidth(after)) * ALIKE ? marks : null
}

/** The visible width of a text, without spaces. */
function visibleWidth(text: string): number {
  return displayWidth(text.replaceAll(' ', ''))
}

/** Adds a place, merged with the previous one if only blanks separate them. */
function mark(places: ChangedRange[], from: number, text: string, line: string): void {
  const last = places.at(-1)
  if (last && line.slice(last[1], from).trim() === '') places[places.length - 1] = [last[0], from + text.length]
  else places.push([from, from + text.length])
}

/** Words, runs of blanks, and each other character by itself. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  let kind = ''
  for (const grapheme of graphemes(line)) {
    const next = /^[\p{L}\p{N}_]/u.test(grapheme) ? 'word' : /^\s/.test(grapheme) ? 'blank' : ''
    if (next !== '' && next === kind) words[words.length - 1] += grapheme
    else words.push(grapheme)
    kind = next
  }
  return words
}

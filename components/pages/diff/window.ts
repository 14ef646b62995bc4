/** The visible rows of a diff. The state has places in the file, which are mapped here to the drawn rows. */
import type { DiffPlace } from './state.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { Styled } from '../../../src/style/styled.ts'
import type { DiffRows, DiffPageRow } from './diff-rows.ts'

/** A line on the screen and its row. */
export type SeenRow = { row: DiffPageRow; text: Styled }

/** A row and, if it is wrapped, a line of it. */
export type DiffRowPlace = { row: number; line: number }

/** The place in the rows; if its line no longer exists, the heading of its hunk. Not so low that rows below stay empty. */
export function rowPlaceOf(rows: DiffRows, { hunk, line, row }: DiffPlace, body: number): DiffRowPlace {
  const same = line ? rowOfLine(line, rows) : -1
  const top = same < 0 ? { row: rows.headOf(Math.min(hunk, rows.hunks - 1)), line: 0 } : { row: same, line: row }
  return settled(rows, top, body)
}

export function diffPlaceOf(rows: DiffRows, { row, line }: DiffRowPlace): DiffPlace {
  const { hunk = 0, left = null, right = null } = rows.rows[row] ?? {}
  return { hunk, line: left ?? right, row: line }
}

/** The visible lines, from the top. */
export function seenRows(rows: DiffRows, top: DiffRowPlace, body: number): SeenRow[] {
  const seen: SeenRow[] = []
  for (let at = top.row; at < rows.rows.length && seen.length < body; at += 1) {
    const row = rows.rows[at]
    const from = at === top.row ? top.line : 0
    const lines = rows.linesOf(at).slice(from, from + body - seen.length)
    if (row) for (const text of lines) seen.push({ row, text })
  }
  return seen
}

/** The share of the diff above the end of the window, from 0 to 1. */
export function shareAbove(rows: DiffRows, top: DiffRowPlace, body: number): number {
  const all = rows.rows.length
  return all === 0 ? 1 : Math.min(1, (walk(rows, top, body).row + 1) / all)
}

/** The visible line of the new file: the first added line of the current hunk, or else the nearest one. */
export function lineIn(seenNow: readonly SeenRow[], hunk: number): number | null {
  const seen = seenNow.flatMap(({ row }) => (row.hunk === hunk && !row.head ? [row] : []))
  const come = seen.find(({ left, right }) => left?.sign === '+' || right?.sign === '+')
  const gone = seen.findIndex(({ left }) => left?.sign === '-')
  const from = come ? [come] : seen.slice(Math.max(0, gone))
  const numbers = [...from, ...seen].map(({ left, right }) => right?.after ?? left?.after ?? null)
  return numbers.find(number => number !== null) ?? seen[0]?.left?.before ?? null
}

/** The place `by` rows further down, or up if negative, as far as there are rows. */
export function walk(rows: DiffRows, from: DiffRowPlace, by: number): DiffRowPlace {
  let place = from
  for (let left = Math.abs(by); left > 0; left -= 1) {
    const next = step(rows, place, by > 0 ? 1 : -1)
    if (!next) break
    place = next
  }
  return place
}

/** The last place where the window can begin. */
export function lastTop(rows: DiffRows, body: number): DiffRowPlace {
  const row = Math.max(0, rows.rows.length - 1)
  return walk(rows, { row, line: Math.max(0, rows.linesOf(row).length - 1) }, 1 - body)
}

/** The place, if the window can begin there. */
export function settled(rows: DiffRows, place: DiffRowPlace, body: number): DiffRowPlace {
  const end = lastTop(rows, body)
  if (place.row - end.row > 0 || (place.row === end.row && place.line > end.line)) return end
  return { row: place.row, line: Math.min(place.line, Math.max(0, rows.linesOf(place.row).length - 1)) }
}

function step(rows: DiffRows, { row, line }: DiffRowPlace, by: 1 | -1): DiffRowPlace | null {
  const next = line + by
  if (next >= 0 && next < rows.linesOf(row).length) return { row, line: next }
  const other = row + by
  if (other < 0 || other >= rows.rows.length) return null
  return { row: other, line: by > 0 ? 0 : Math.max(0, rows.linesOf(other).length - 1) }
}

/** The row of a line, -1 for none; in a diff that was read again, the row of an equal line at the same place. */
function rowOfLine(line: DiffLine, { rows }: DiffRows): number {
  const exact = rows.findIndex(({ left, right }) => left === line || right === line)
  return exact >= 0 ? exact : rows.findIndex(({ left, right }) => isSame(left, line) || isSame(right, line))
}

/** Old lines keep their old number, whatever is added above them. */
function isSame(line: DiffLine | null, { sign, text, before, after }: DiffLine): boolean {
  if (line?.sign !== sign || line.text !== text) return false
  return before === null ? line.after === after : line.before === before
}

/** The visible rows of a diff. The state has places in the file, which are mapped here to the drawn rows. */
import type { DiffPlace } from './state.ts'
import type { Styled } from '../../../src/style/styled.ts'
import type { DiffRows } from './diff-rows.ts'

/** A line on the screen and the index of its row. */
export type SeenRow = { row: number; text: Styled }

/** A row and, if it is wrapped, a line of it. */
export type DiffRowPlace = { row: number; line: number }

/** The place in the rows; if its line no longer exists, the heading of its hunk. */
export function rowPlaceOf(rows: DiffRows, place: DiffPlace): DiffRowPlace {
  const { row, isThere } = rows.find(place)
  return { row, line: isThere ? Math.min(place.row, Math.max(0, rows.linesOf(row).length - 1)) : 0 }
}

/** The first visible place, if the window shall show the row `cursor` and leave no row below empty. */
export function following(rows: DiffRows, top: DiffRowPlace, cursor: number, body: number): DiffRowPlace {
  const height = Math.max(1, rows.linesOf(cursor).length)
  const first = { row: cursor, line: 0 }
  if (cursor < top.row || (cursor === top.row && height <= body)) {
    return settled(rows, cursor < top.row && height > body ? { row: cursor, line: height - body } : first, body)
  }
  const settledTop = settled(rows, top, body)
  const last = walk(rows, settledTop, body - 1)
  const end = { row: cursor, line: height - 1 }
  if (!isBelow(end, last)) return settledTop
  // Of a row that is higher than the window, any part may be visible; it comes into view with its beginning.
  if (height > body) return isBelow(first, last) ? first : settledTop
  return walk(rows, end, 1 - body)
}

/** The visible lines, from the top. */
export function seenRows(rows: DiffRows, top: DiffRowPlace, body: number): SeenRow[] {
  const seen: SeenRow[] = []
  for (let at = top.row; at < rows.length && seen.length < body; at += 1) {
    const from = at === top.row ? top.line : 0
    for (const text of rows.linesOf(at).slice(from, from + body - seen.length)) seen.push({ row: at, text })
  }
  return seen
}

/** The share of the diff above the end of the window, from 0 to 1. */
export function shareAbove(rows: DiffRows, top: DiffRowPlace, body: number): number {
  return rows.length === 0 ? 1 : Math.min(1, (walk(rows, top, body).row + 1) / rows.length)
}

/** The line of the new file at a row, or the nearest one in its hunk; of a deleted file, the line of the old one. */
export function lineNear(rows: DiffRows, index: number): number | null {
  const numberAt = (at: number): number | null => {
    const { left = null, right = null } = rows.row(at) ?? {}
    return right?.after ?? left?.after ?? null
  }
  const from = rows.row(index)
  if (!from || from.hunk === null) return null
  const start = from.kind === 'head' ? rows.find({ hunk: from.hunk, line: 'change', note: null, row: 0 }).row : index
  for (const by of [1, -1]) {
    for (let at = start; rows.row(at)?.hunk === from.hunk; at += by) {
      const number = numberAt(at)
      if (number !== null) return number
    }
  }
  return rows.row(start)?.left?.before ?? null
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
  const row = Math.max(0, rows.length - 1)
  return walk(rows, { row, line: Math.max(0, rows.linesOf(row).length - 1) }, 1 - body)
}

/** The place, if the window can begin there. */
export function settled(rows: DiffRows, place: DiffRowPlace, body: number): DiffRowPlace {
  const end = lastTop(rows, body)
  if (isBelow(place, end)) return end
  return { row: place.row, line: Math.min(place.line, Math.max(0, rows.linesOf(place.row).length - 1)) }
}

function isBelow(one: DiffRowPlace, other: DiffRowPlace): boolean {
  return one.row > other.row || (one.row === other.row && one.line > other.line)
}

function step(rows: DiffRows, { row, line }: DiffRowPlace, by: 1 | -1): DiffRowPlace | null {
  const next = line + by
  if (next >= 0 && next < rows.linesOf(row).length) return { row, line: next }
  const other = row + by
  if (other < 0 || other >= rows.length) return null
  return { row: other, line: by > 0 ? 0 : Math.max(0, rows.linesOf(other).length - 1) }
}

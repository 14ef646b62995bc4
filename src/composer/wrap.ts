/**
 * Wraps one logical line to rows. The rules:
 *
 * - Text takes the columns 0..width-2. The last column belongs to the caret, so that it has a place after a full row.
 * - A row ends after its last run of spaces or tabs, beside a chip, or where CJK text may be broken (breaks.ts, as for all that
 *   is printed); a word longer than a row is cut between two characters. A character is never cut: one wider than a whole row is
 *   drawn as U+FFFD.
 * - Spaces and tabs that no longer fit hang: they stay at the end of their row, undrawn, and the caret among them stands in
 *   the last column.
 * - A tab reaches to the next multiple of four columns, counted from the start of its row.
 */
import { FIRST_IDEOGRAPH, mayBreak } from '../text/lines/breaks.ts'
import { chipColumns } from './chips.ts'
import { eachCharacter } from './graphemes.ts'

const SPACE = 0x20
const TAB = 0x09
const TAB_STOP = 4
const OVERSIZE = '\ufffd'
const ASCII = /^[\x20-\x7e]*$/

/** The columns that text may take in a box of `width` columns. */
function textColumns(width: number): number {
  return Math.max(1, width - 1)
}

/** The offset in `line` of each row's start; the first is 0, and an empty line has one row. */
export function rowStarts(line: string, width: number): readonly number[] {
  const limit = textColumns(width)
  const starts = [0]
  if (line.length <= limit && ASCII.test(line)) return starts
  let rowStart = 0
  let before = 0
  let at = 0
  let column = 0
  // The last place in this row where it may end, and the column there.
  let stop = 0
  let stopColumn = 0
  eachCharacter(line, (length, columns) => {
    const unit = line.charCodeAt(at)
    if (mayStop(line, before, at, at + length)) {
      stop = at
      stopColumn = column
    }
    let next = advance(column, unit, columns, limit)
    while (next > limit && at > rowStart && !isBlank(unit, length)) {
      column = stop > rowStart ? column - stopColumn : 0
      rowStart = stop > rowStart ? stop : at
      starts.push(rowStart)
      next = advance(column, unit, columns, limit)
    }
    column = next
    before = at
    at += length
    return true
  })
  return starts
}

/** Whether a row may end at `at`, between the characters from `before` and to `end`. */
function mayStop(line: string, before: number, at: number, end: number): boolean {
  const [last, next] = [line.charCodeAt(before), line.charCodeAt(at)]
  if (isBlank(last, at - before)) return true
  // Most text is decided by its code units.
  if (isBlank(next, end - at) || (last < FIRST_IDEOGRAPH && next < FIRST_IDEOGRAPH)) return false
  const [one, other] = [line.slice(before, at), line.slice(at, end)]
  return mayBreak(one, other) || chipColumns(one) !== null || chipColumns(other) !== null
}

/** Whether a character of this length, which begins with `unit`, is a blank: one with a mark on it is none. */
function isBlank(unit: number, length: number): boolean {
  return length === 1 && (unit === SPACE || unit === TAB)
}

/** The column after a character that begins with `unit` and is `columns` wide. */
function advance(column: number, unit: number, columns: number, limit: number): number {
  if (unit === TAB) return column + TAB_STOP - (column % TAB_STOP)
  return column + (columns > limit ? OVERSIZE.length : columns)
}

/** A row as drawn: tabs as spaces, without hanging blanks; never wider than the text columns of `width`. */
export function drawnRow(row: string, width: number): string {
  return drawnUpTo(row, row.length, width)
}

/** The beginning of a row as drawn, up to the offset `end` in the row. */
export function drawnUpTo(row: string, end: number, width: number): string {
  const limit = textColumns(width)
  if (row.length <= limit && ASCII.test(row)) return row.slice(0, end)
  const parts: string[] = []
  walk(row, limit, ({ at, length, columns, from, to }) => {
    if (at >= end) return false
    if (isBlank(row.charCodeAt(at), length)) parts.push(' '.repeat(Math.max(0, Math.min(to, limit) - from)))
    else parts.push(columns > limit ? OVERSIZE : row.slice(at, at + length))
    return true
  })
  return parts.join('')
}

/** The column where a caret before the offset `end` of a row is shown, 0..width-1. */
export function columnIn(row: string, end: number, width: number): number {
  return visible(walk(row, textColumns(width), ({ at }) => at < end).column, width)
}

/** The last offset of a row that is shown at or before `column`. The very end counts only if `endIsHere`. */
export function offsetIn(row: string, column: number, width: number, endIsHere: boolean): number {
  return walk(
    row,
    textColumns(width),
    ({ at, length, to }) => visible(to, width) <= column && (endIsHere || at + length < row.length),
  ).at
}

/** A character of a row: its offset, its units, its width, and the columns where it begins and ends. */
type RowCharacter = { at: number; length: number; columns: number; from: number; to: number }

/** Walks along a row while `takes` returns true, and returns the offset and the column after the last character taken. */
function walk(row: string, limit: number, takes: (character: RowCharacter) => boolean): { at: number; column: number } {
  let column = 0
  let at = 0
  eachCharacter(row, (length, columns) => {
    const to = advance(column, row.charCodeAt(at), columns, limit)
    if (!takes({ at, length, columns, from: column, to })) return false
    column = to
    at += length
    return true
  })
  return { at, column }
}

/** Among hanging blanks the caret stays in the last column. */
function visible(column: number, width: number): number {
  return Math.min(column, Math.max(0, width - 1))
}

/**
 * Wraps one logical line to rows. The rules:
 *
 * - Text takes the columns 0..width-2. The last column belongs to the caret, so that it has a place after a full row.
 * - A row ends after its last run of spaces or tabs, or beside its last wide character; a word longer than a row is cut
 *   between two characters. A character is never cut: one wider than a whole row is drawn as U+FFFD.
 * - Spaces and tabs that no longer fit hang: they stay at the end of their row, undrawn, and the caret among them stands in
 *   the last column.
 * - A tab reaches to the next multiple of four columns, counted from the start of its row.
 */
import { charactersOf, LONG_LINE } from './characters.ts'
import { commonPrefix, commonSuffix } from './difference.ts'
import { eachCharacter } from './graphemes.ts'
import { lastAtOrBelow } from './search.ts'

const SPACE = 0x20
const TAB = 0x09
const TAB_STOP = 4
const OVERSIZE = '\ufffd'
const ASCII = /^[\x20-\x7e]*$/

/** The columns that text may take in a box of `width` columns. */
export function textColumns(width: number): number {
  return Math.max(1, width - 1)
}

/** The offset in `line` of each row's start; the first is 0, and an empty line has one row. */
export function rowStarts(line: string, width: number): readonly number[] {
  const limit = textColumns(width)
  if (line.length <= limit && ASCII.test(line)) return FIRST_ROW_ONLY
  if (line.length < LONG_LINE) return wrap(line, limit, [0], NOTHING_SHARED)
  const same = remembered.find(entry => entry.limit === limit && entry.line === line)
  if (same !== undefined) return same.starts
  const starts = wrapLike(line, limit)
  remembered = [{ line, limit, starts }, ...remembered.slice(0, REMEMBERED_LIMIT - 1)]
  return starts
}

interface Remembered {
  readonly line: string
  readonly limit: number
  readonly starts: readonly number[]
}

const FIRST_ROW_ONLY = [0]
const REMEMBERED_LIMIT = 8

/** As in characters.ts: a long line is wrapped again only where it differs. Newest first. */
let remembered: readonly Remembered[] = []

/** The end that a line shares with one whose rows are known: from `from` on, a known start plus `shift` is the same place. */
interface SharedEnd {
  readonly from: number
  readonly shift: number
  readonly starts: readonly number[]
}

const NOTHING_SHARED: SharedEnd = { from: Number.POSITIVE_INFINITY, shift: 0, starts: [] }

function wrapLike(line: string, limit: number): readonly number[] {
  for (const { line: known, limit: knownLimit, starts } of remembered) {
    if (knownLimit !== limit) continue
    const prefix = commonPrefix(known, line)
    const suffix = commonSuffix(known, line, prefix)
    if ((prefix + suffix) * 2 < line.length) continue
    // The reason for a row's start lies before the start of the row after the next one.
    const kept = starts.slice(0, Math.max(1, lastAtOrBelow(starts, starts.length, prefix - 2) - 1))
    return wrap(line, limit, kept, { from: line.length - suffix, shift: line.length - known.length, starts })
  }
  return wrap(line, limit, [0], NOTHING_SHARED)
}

/** Cuts the line from the last of `starts` on, until a row begins where one began in the shared end. */
function wrap(line: string, limit: number, starts: number[], shared: SharedEnd): readonly number[] {
  const { lengths, columns } = charactersOf(line)
  let rowStart = starts.at(-1) ?? 0
  // In a line of one-unit characters, a character's number is its place.
  let at = lengths.length === line.length ? rowStart : 0
  let i = at
  while (at < rowStart) at += lengths[i++] ?? 1
  let column = 0
  // The last place in this row where it may end, and the column there.
  let stop = rowStart
  let stopColumn = 0
  for (; i < lengths.length; i += 1) {
    const unit = line.charCodeAt(at)
    const wide = (columns[i] ?? 0) > 1
    if (wide) {
      stop = at
      stopColumn = column
    }
    let next = advance(column, unit, columns[i] ?? 0, limit)
    while (next > limit && at > rowStart && !isBlank(unit)) {
      column = stop > rowStart ? column - stopColumn : 0
      rowStart = stop > rowStart ? stop : at
      starts.push(rowStart)
      const known = rowStart < shared.from ? -1 : indexOf(shared.starts, rowStart - shared.shift)
      if (known >= 0) return [...starts, ...later(shared, known)]
      next = advance(column, unit, columns[i] ?? 0, limit)
    }
    column = next
    at += lengths[i] ?? 0
    if (wide || isBlank(unit)) {
      stop = at
      stopColumn = column
    }
  }
  return starts
}

function indexOf(starts: readonly number[], start: number): number {
  const index = lastAtOrBelow(starts, starts.length, start)
  return starts[index] === start ? index : -1
}

function later(shared: SharedEnd, known: number): readonly number[] {
  return shared.starts.slice(known + 1).map(start => start + shared.shift)
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB
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
  let column = 0
  let at = 0
  eachCharacter(row, 0, (length, columns) => {
    if (at >= end) return false
    const unit = row.charCodeAt(at)
    const next = advance(column, unit, columns, limit)
    if (isBlank(unit)) parts.push(' '.repeat(Math.max(0, Math.min(next, limit) - column)))
    else parts.push(columns > limit ? OVERSIZE : row.slice(at, at + length))
    column = next
    at += length
    return true
  })
  return parts.join('')
}

/** The column where a caret before the offset `at` of a row is shown, 0..width-1. */
export function columnIn(row: string, at: number, width: number): number {
  const limit = textColumns(width)
  let column = 0
  let offset = 0
  eachCharacter(row, 0, (length, columns) => {
    if (offset >= at) return false
    column = advance(column, row.charCodeAt(offset), columns, limit)
    offset += length
    return true
  })
  return visible(column, width)
}

/** The last offset of a row that is shown at or before `column`. The very end counts only where `endIsHere`. */
export function offsetIn(row: string, column: number, width: number, endIsHere: boolean): number {
  const limit = textColumns(width)
  let here = 0
  let at = 0
  eachCharacter(row, 0, (length, columns) => {
    const next = advance(here, row.charCodeAt(at), columns, limit)
    if (visible(next, width) > column || (!endIsHere && at + length === row.length)) return false
    here = next
    at += length
    return true
  })
  return at
}

/** Among hanging blanks the caret stays in the last column. */
function visible(column: number, width: number): number {
  return Math.min(column, Math.max(0, width - 1))
}

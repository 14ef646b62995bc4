/** The patches that turn one row of the terminal into another. */
import { plainStyle, sliceOf, type Span, type Styled, type TextStyle } from '../../text/styled.ts'
import { graphemes, graphemeWidth, isNarrow } from '../../text/width.ts'
import { backgroundSwitch, paintLine, paintSpans } from './paint.ts'

/** A grapheme in its first column. */
type ScreenCell = Span<TextStyle, string>

/** A part of a row to be written, from a column on. */
export type Patch = {
  column: number
  /** Ends with all attributes off. */
  text: string
  /** The column behind it; null where only the terminal knows. */
  end: number | null
  /** Whether the rest of the row is to be erased behind it. */
  eraseRest: boolean
}

const BLANK: ScreenCell = { text: ' ', style: plainStyle }
/** Fewer equal columns than these between two differences are written again: going over them costs as much. */
const NEAR = 8
/**
 * The parts of a row that differ, from left to right. In a row with characters about whose width terminals disagree,
 * nothing behind the first of them is left standing: it may not be where we think.
 */
export function rowPatches(from: Styled, to: Styled): Patch[] {
  if (from === to || paintLine(from) === paintLine(to)) return []
  const before = cellsOf(from)
  const after = cellsOf(to)
  const doubtful = Math.min(before.certain, after.certain)
  const end = Math.max(before.cells.length, after.cells.length)
  let first = 0
  while (first < end && isSame(before.cells, after.cells, first)) first += 1
  if (first === end) return []
  if (doubtful < end) return [rest(after.cells, Math.min(first, doubtful, after.cells.length))]
  const patches = changedRanges(before.cells, after.cells, first).map(range => patch(after.cells, range))
  // The rest is erased from the end of the text on: blanks that were written would be copied with it.
  if (before.cells.length > after.cells.length) {
    const last = patches.at(-1)
    if (last?.end === after.cells.length) last.eraseRest = true
    else patches.push({ column: after.cells.length, text: '', end: after.cells.length, eraseRest: true })
  }
  return patches
}

/** Whether a column shows the same. What is behind the end of a row is blank. */
function isSame(
  before: readonly (ScreenCell | null)[],
  after: readonly (ScreenCell | null)[],
  column: number,
): boolean {
  const [one, other] = [cellAt(before, column), cellAt(after, column)]
  return one === other || (one?.text === other?.text && one?.style === other?.style)
}

function cellAt(cells: readonly (ScreenCell | null)[], column: number): ScreenCell | null {
  const cell = cells[column]
  return cell === undefined ? BLANK : cell
}

/** One entry a column; the second column of a wide character is null. `certain` is where the first doubtful one stands. */
function cellsOf(row: Styled): { cells: (ScreenCell | null)[]; certain: number } {
  const cells: (ScreenCell | null)[] = []
  let doubtful = Number.POSITIVE_INFINITY
  for (const { text, style } of row.spans) {
    if (doubtful === Number.POSITIVE_INFINITY && !isNarrow(text)) doubtful = cells.length
    for (const grapheme of graphemes(text)) {
      cells.push({ text: grapheme, style })
      for (let width = graphemeWidth(grapheme); width > 1; width -= 1) cells.push(null)
    }
  }
  while (isBlank(cells.at(-1))) cells.pop()
  return { cells, certain: doubtful }
}

function isBlank(cell: ScreenCell | null | undefined): boolean {
  return cell?.text === ' ' && cell.style === plainStyle
}

/** Blanks with nothing but a background up to the right edge. */
export type TrailingBand = {
  /** The row without them. */
  text: Styled
  /** What has the terminal give the rest of the row that background. */
  fill: string
}

/**
 * The band that a row ends with in a terminal of so many columns. Blanks that are written are text to a terminal, which
 * wraps them into a second row when it becomes narrower; a background up to the edge is none.
 */
export function bandOf(row: Styled, columns: number): TrailingBand | null {
  const last = row.spans.at(-1)
  const isBare = last?.style.color === null && last.style.attributes.length === 0 && last.style.link === ''
  if (!isBare || !last.text.endsWith(' ') || row.width !== columns) return null
  const background = backgroundSwitch(last.style)
  if (!background) return null
  const blanks = last.text.length - last.text.trimEnd().length
  return {
    text: sliceOf(row, 0, row.text.length - blanks),
    fill: `${background.on}\u001B[K${background.off}`,
  }
}

type ColumnRange = { start: number; end: number }

function changedRanges(
  before: readonly (ScreenCell | null)[],
  after: readonly (ScreenCell | null)[],
  first: number,
): ColumnRange[] {
  const ranges: ColumnRange[] = []
  for (let column = first; column < after.length; column += 1) {
    if (isSame(before, after, column)) continue
    const last = ranges.at(-1)
    if (last && column - last.end < NEAR) last.end = column + 1
    else ranges.push({ start: column, end: column + 1 })
  }
  return ranges
}

function patch(after: readonly (ScreenCell | null)[], { start, end }: ColumnRange): Patch {
  return { column: start, text: draw(after.slice(start, end)), end, eraseRest: false }
}

function rest(after: readonly (ScreenCell | null)[], column: number): Patch {
  return { column, text: draw(after.slice(column)), end: null, eraseRest: true }
}

function draw(cells: readonly (ScreenCell | null)[]): string {
  return paintSpans(cells.filter(cell => cell !== null))
}

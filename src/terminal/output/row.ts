/** The patches that turn one row of the terminal into another. */
import { isSameLine, plainStyle, sliceOf, type Span, type Styled, type TextStyle } from '../../text/styled.ts'
import { graphemes, graphemeWidth, isNarrow } from '../../text/lines/width.ts'
import { backgroundSwitch, paintSpans } from './paint.ts'

/**
 * A row column by column: the grapheme that begins there, null in the second column of a wide one, and its style. In a row of
 * characters that surely take one column, the text itself is the list.
 */
type RowColumns = {
  readonly texts: string | readonly (string | null)[]
  readonly styles: readonly TextStyle[]
  /** The columns up to the last one that is not blank. */
  readonly length: number
  /** The first column with a character about whose width terminals disagree. */
  readonly certain: number
}

/** A part of a row to be written, from a column on. */
export type Patch = {
  column: number
  /** The text, which ends with all attributes off. */
  text: string
  /** The column after it; null if only the terminal knows. */
  end: number | null
  /** Whether the rest of the row is to be erased. */
  eraseRest: boolean
}

/** Fewer equal columns than these between two differences are written again: going over them costs as much. */
const NEAR = 8

/**
 * The parts of a row that differ, from left to right. In a row with characters about whose width terminals disagree,
 * everything from the first of them on is written again: it may not be where we think. `bands` are the columns of a terminal
 * that fills bands itself, else 0.
 */
export function rowPatches(from: Styled, to: Styled, bands = 0): Patch[] {
  if (isSameLine(from, to)) return []
  const before = columnsOf(from)
  const after = columnsOf(to)
  const doubtful = Math.min(before.certain, after.certain)
  const end = Math.max(before.length, after.length)
  let first = 0
  while (first < end && isSame(before, after, first)) first += 1
  if (first === end) return []
  const band = bandOf(to, bands)
  if (doubtful < end) {
    const all = { start: Math.min(first, doubtful, after.length), end: after.length }
    return [{ ...patch(after, all, band), end: null, eraseRest: !band }]
  }
  const patches = changedRanges(before, after, first).map(range => patch(after, range, band))
  // The rest is erased from the end of the text on: blanks that were written would be copied with it.
  if (before.length > after.length) {
    const last = patches.at(-1)
    if (last?.end === after.length) last.eraseRest = true
    else patches.push({ column: after.length, text: '', end: after.length, eraseRest: true })
  }
  return patches
}

/** Whether a column shows the same. Columns after the end of a row are blank. */
function isSame(before: RowColumns, after: RowColumns, column: number): boolean {
  return textAt(before, column) === textAt(after, column) && styleAt(before, column) === styleAt(after, column)
}

function textAt({ texts, length }: RowColumns, column: number): string | null | undefined {
  return column < length ? texts[column] : ' '
}

function styleAt({ styles, length }: RowColumns, column: number): TextStyle | undefined {
  return column < length ? styles[column] : plainStyle
}

function columnsOf(row: Styled): RowColumns {
  const styles: TextStyle[] = []
  const texts: (string | null)[] = []
  let certain = Number.POSITIVE_INFINITY
  const isAllNarrow = isNarrow(row.text)
  for (const { text, style } of row.spans) {
    if (isAllNarrow) {
      for (let column = 0; column < text.length; column += 1) styles.push(style)
      continue
    }
    if (certain === Number.POSITIVE_INFINITY && !isNarrow(text)) certain = texts.length
    for (const grapheme of graphemes(text)) {
      texts.push(grapheme)
      styles.push(style)
      for (let width = graphemeWidth(grapheme); width > 1; width -= 1) {
        texts.push(null)
        styles.push(plainStyle)
      }
    }
  }
  const all = isAllNarrow ? row.text : texts
  let { length } = all
  while (length > 0 && all[length - 1] === ' ' && styles[length - 1] === plainStyle) length -= 1
  return { texts: all, styles, length, certain }
}

/** Blanks with nothing but a background up to the right edge. */
export type TrailingBand = {
  /** The row without them. */
  text: Styled
  /** The bytes that fill the rest of the row with that background. */
  fill: string
}

/**
 * The band at the end of a row in a terminal of `columns` columns. A terminal that becomes narrower wraps written
 * blanks into a second row, but not an erased background.
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

function changedRanges(before: RowColumns, after: RowColumns, first: number): ColumnRange[] {
  const ranges: ColumnRange[] = []
  for (let column = first; column < after.length; column += 1) {
    if (isSame(before, after, column)) continue
    const last = ranges.at(-1)
    if (last && column - last.end < NEAR) last.end = column + 1
    else ranges.push({ start: column, end: column + 1 })
  }
  return ranges
}

/** Writes a range, and fills the band behind it if it reaches there. */
function patch(after: RowColumns, { start, end }: ColumnRange, band: TrailingBand | null): Patch {
  const text = band ? Math.min(end, band.text.width) : end
  return {
    column: start,
    text: draw(after, start, text) + (text < end && band ? band.fill : ''),
    end: Math.max(start, text),
    eraseRest: false,
  }
}

function draw({ texts, styles }: RowColumns, start: number, end: number): string {
  const spans: Span<TextStyle, string>[] = []
  for (let column = start; column < end;) {
    const from = column
    const style = styles[from] ?? plainStyle
    do column += 1
    while (column < end && (styles[column] === style || texts[column] === null))
    const part = texts.slice(from, column)
    spans.push({ text: typeof part === 'string' ? part : part.join(''), style })
  }
  return paintSpans(spans)
}

/**
 * Text as rows on the screen. wrap.ts holds the rules for wrapping a line.
 *
 * One key in a text of a megabyte costs a few milliseconds at worst: line-index.ts wraps only the line that changed and keeps
 * the row counts of the others, characters.ts segments only what changed in a long line, and only the rows of the window are
 * drawn. Each is a bounded memory of a pure function.
 */
import { lineIndex, lineText, type LineIndex } from './line-index.ts'
import { lastAtOrBelow } from './search.ts'
import { columnIn, drawnRow, offsetIn, rowStarts } from './wrap.ts'

/** One row. Its text is text[start, end); between two rows there is either nothing (a soft wrap) or one newline. */
export interface VisualRow {
  readonly start: number
  readonly end: number
  /** The row as drawn: tabs as spaces, no newline; never wider than the width asked for. */
  readonly drawn: string
  /** True when the logical line goes on in the next row. */
  readonly wraps: boolean
}

export interface Layout {
  /** The window: at most `maxRows` rows, at least one. */
  readonly rows: readonly VisualRow[]
  /** The caret's row, an index into `rows`. */
  readonly caretRow: number
  /** The caret's column, 0..width-1. */
  readonly caretColumn: number
  /** The number of rows above the window. */
  readonly firstRow: number
  /** The number of rows of the whole text. */
  readonly totalRows: number
}

/**
 * Lays out the part of `text` that is around the caret. An offset where a line wraps is shown at the start of the later row.
 * The window moves from `previousFirstRow` (the `firstRow` of the last layout) no further than it must to hold the caret, and
 * never shows fewer rows than it could.
 */
export function layout(text: string, caret: number, width: number, maxRows: number, previousFirstRow = 0): Layout {
  const index = lineIndex(text, width)
  const totalRows = index.rowsAbove[index.starts.length] ?? 1
  const size = Math.min(Math.max(1, maxRows), totalRows)
  const here = rowAt(text, caret, width)
  const lowest = Math.max(0, here.row - size + 1)
  const firstRow = Math.min(Math.max(previousFirstRow, lowest), here.row, totalRows - size)
  return {
    rows: rowsFrom(index, firstRow, size),
    caretRow: here.row - firstRow,
    caretColumn: here.column,
    firstRow,
    totalRows,
  }
}

function rowsFrom(index: LineIndex, firstRow: number, size: number): readonly VisualRow[] {
  const rows: VisualRow[] = []
  let line = lastAtOrBelow(index.rowsAbove, index.starts.length, firstRow)
  let skip = firstRow - (index.rowsAbove[line] ?? 0)
  while (rows.length < size && line < index.starts.length) {
    const content = lineText(index, line)
    const base = index.starts[line] ?? 0
    const cuts = rowStarts(content, index.width)
    for (let row = skip; row < cuts.length && rows.length < size; row += 1) {
      const start = cuts[row] ?? 0
      const end = cuts[row + 1] ?? content.length
      const drawn = drawnRow(content.slice(start, end), index.width)
      rows.push({ start: base + start, end: base + end, drawn, wraps: row + 1 < cuts.length })
    }
    skip = 0
    line += 1
  }
  return rows
}

/** The row that an offset is shown in: which of all, what part of the text, and the offset's column there. */
export interface RowPlace {
  readonly row: number
  readonly start: number
  readonly end: number
  readonly wraps: boolean
  readonly column: number
}

/** The row and column of an offset. */
export function rowAt(text: string, offset: number, width: number): RowPlace {
  const index = lineIndex(text, width)
  const line = lastAtOrBelow(index.starts, index.starts.length, offset)
  const base = index.starts[line] ?? 0
  const content = lineText(index, line)
  const cuts = rowStarts(content, width)
  const row = lastAtOrBelow(cuts, cuts.length, offset - base)
  const start = cuts[row] ?? 0
  const end = cuts[row + 1] ?? content.length
  return {
    row: (index.rowsAbove[line] ?? 0) + row,
    start: base + start,
    end: base + end,
    wraps: row + 1 < cuts.length,
    column: columnIn(content.slice(start, end), offset - base - start, width),
  }
}

/** The number of rows of the text. */
export function rowCount(text: string, width: number): number {
  const index = lineIndex(text, width)
  return index.rowsAbove[index.starts.length] ?? 1
}

/** The offset in row number `row` that is shown nearest before `column`; rows beyond the text count as its edges. */
export function offsetAt(text: string, row: number, column: number, width: number): number {
  const wanted = Math.min(Math.max(0, row), rowCount(text, width) - 1)
  const found = rowsFrom(lineIndex(text, width), wanted, 1)[0]
  if (found === undefined) return 0
  return found.start + offsetIn(text.slice(found.start, found.end), column, width, !found.wraps)
}

/**
 * Text as rows on the screen. wrap.ts holds the rules for wrapping a line; line-index.ts wraps only the line that changed, and only
 * the rows of the window are drawn, so that a key in a long text costs little.
 */
import { lineIndex, type IndexedLine, type LineIndex } from './line-index.ts'
import { columnIn, drawnRow, offsetIn } from './wrap.ts'

/** One row. Its text is text[start, end); between two rows there is either nothing (a soft wrap) or one newline. */
export interface VisualRow {
  readonly start: number
  readonly end: number
  /** The row as drawn: tabs as spaces, no newline; never wider than the width asked for. */
  readonly drawn: string
  /** True when the logical line continues in the next row. */
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
}

/**
 * Lays out the part of `text` that is around the caret. An offset where a line wraps is shown at the start of the later row.
 * The window begins at the top, or as far down as it must to show the caret.
 */
export function layout(text: string, caret: number, width: number, maxRows: number): Layout {
  const index = lineIndex(text, width)
  const size = Math.min(Math.max(1, maxRows), index.totalRows)
  const here = rowAt(text, caret, width)
  const firstRow = Math.max(0, here.row - size + 1)
  return {
    rows: rowsFrom(index, firstRow, size),
    caretRow: here.row - firstRow,
    caretColumn: here.column,
    firstRow,
  }
}

function rowsFrom({ lines, width }: LineIndex, firstRow: number, size: number): readonly VisualRow[] {
  const rows: VisualRow[] = []
  const first = lines.findLastIndex(({ rowsAbove }) => rowsAbove <= firstRow)
  for (let at = first, line = lines[at]; line && rows.length < size; line = lines[(at += 1)]) {
    for (let row = Math.max(0, firstRow - line.rowsAbove); row < line.rows.length && rows.length < size; row += 1) {
      const { start, end } = bounds(line, row)
      const drawn = drawnRow(line.content.slice(start, end), width)
      rows.push({ start: line.start + start, end: line.start + end, drawn, wraps: row + 1 < line.rows.length })
    }
  }
  return rows
}

/** The part of the line that a row shows. */
function bounds({ content, rows }: IndexedLine, row: number): { start: number; end: number } {
  return { start: rows[row] ?? 0, end: rows[row + 1] ?? content.length }
}

/** The row that an offset is shown in: its number, its part of the text, and the offset's column there. */
export interface WrappedPlace {
  readonly row: number
  readonly start: number
  readonly end: number
  readonly wraps: boolean
  readonly column: number
}

/** The row and column of an offset. */
export function rowAt(text: string, offset: number, width: number): WrappedPlace {
  const { lines } = lineIndex(text, width)
  const line = lines.findLast(({ start }) => start <= offset) ?? { content: '', start: 0, rowsAbove: 0, rows: [0] }
  const inLine = offset - line.start
  const row = Math.max(
    0,
    line.rows.findLastIndex(start => start <= inLine),
  )
  const { start, end } = bounds(line, row)
  return {
    row: line.rowsAbove + row,
    start: line.start + start,
    end: line.start + end,
    wraps: row + 1 < line.rows.length,
    column: columnIn(line.content.slice(start, end), inLine - start, width),
  }
}

/** The number of rows of the text. */
export function rowCount(text: string, width: number): number {
  return lineIndex(text, width).totalRows
}

/** The offset in row number `row` that is shown nearest before `column`; rows beyond the text count as its edges. */
export function offsetAt(text: string, row: number, column: number, width: number): number {
  const rowInText = Math.min(Math.max(0, row), rowCount(text, width) - 1)
  const found = rowsFrom(lineIndex(text, width), rowInText, 1)[0]
  if (found === undefined) return 0
  return found.start + offsetIn(text.slice(found.start, found.end), column, width, !found.wraps)
}

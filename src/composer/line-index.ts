/**
 * The logical lines of a text and their rows. The index of the last text asked about is kept, and the next text wraps
 * only the lines that it does not share: after a key, that is usually one line.
 */
import { rowStarts } from './wrap.ts'

export interface IndexedLine {
  /** The line's own text, without its newline. */
  readonly content: string
  /** The offset of the line in the text. */
  readonly start: number
  /** The number of rows above the line. */
  readonly rowsAbove: number
  /** The offset in the line of each of its rows. */
  readonly rows: readonly number[]
}

export interface LineIndex {
  readonly text: string
  readonly width: number
  readonly lines: readonly IndexedLine[]
  readonly totalRows: number
  /** The rows by the content of a line. */
  readonly rowsOf: ReadonlyMap<string, readonly number[]>
}

/** Only the newest index is kept, so that at most one text stays in memory. The result never depends on it. */
let newest: LineIndex = indexed('', 0, new Map())

/** The index of `text` for a box of `width` columns. */
export function lineIndex(text: string, width: number): LineIndex {
  if (newest.text === text && newest.width === width) return newest
  newest = indexed(text, width, newest.width === width ? newest.rowsOf : new Map())
  return newest
}

function indexed(text: string, width: number, known: ReadonlyMap<string, readonly number[]>): LineIndex {
  const rowsOf = new Map<string, readonly number[]>()
  let start = 0
  let rowsAbove = 0
  const lines = text.split('\n').map((content): IndexedLine => {
    const rows = rowsOf.get(content) ?? known.get(content) ?? rowStarts(content, width)
    rowsOf.set(content, rows)
    const line = { content, start, rowsAbove, rows }
    start += content.length + 1
    rowsAbove += rows.length
    return line
  })
  return { text, width, lines, totalRows: rowsAbove, rowsOf }
}

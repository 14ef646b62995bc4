/**
 * The offsets of a text's logical lines, and the number of rows above each. The index of the last text asked about is kept:
 * a text that shares its beginning and its end (the same text after a key) wraps only the lines in between, and the rest is
 * two copies of numbers. For a megabyte that is about a millisecond however many lines there are.
 */
import { lastAtOrBelow } from './search.ts'
import { commonPrefix, commonSuffix } from './difference.ts'
import { rowStarts } from './wrap.ts'

export interface LineIndex {
  readonly text: string
  readonly width: number
  /** The offset of each line's start; the first is 0. */
  readonly starts: Uint32Array
  /** The number of rows above each line, and at the end the number of all rows. */
  readonly rowsAbove: Uint32Array
}

/** Only the newest, so one text is held at most. It is a pure function of text and width, whatever was kept. */
let newest: LineIndex = { text: '', width: 0, starts: Uint32Array.of(0), rowsAbove: Uint32Array.of(0, 1) }

/** The index of `text` for a box of `width` columns. */
export function lineIndex(text: string, width: number): LineIndex {
  if (newest.width !== width) newest = rebuilt(text, width)
  else if (newest.text !== text) newest = updated(newest, text)
  return newest
}

function rebuilt(text: string, width: number): LineIndex {
  const { starts, rows } = scan(text, 0, text.length, width)
  return { text, width, starts: Uint32Array.from(starts), rowsAbove: sums(Uint32Array.from(rows)) }
}

function updated(old: LineIndex, text: string): LineIndex {
  const prefix = commonPrefix(old.text, text)
  const suffix = commonSuffix(old.text, text, prefix)
  const shift = text.length - old.text.length
  const lines = old.starts.length
  // Lines before `head` end before the difference; lines from `tail` on begin after a newline that both texts share.
  const head = lastAtOrBelow(old.starts, lines, prefix)
  const tail = Math.max(head + 1, lastAtOrBelow(old.starts, lines, old.text.length - suffix) + 1)
  const from = old.starts[head] ?? 0
  const to = tail < lines ? (old.starts[tail] ?? 0) + shift : text.length + 1
  const middle = scan(text, from, to - 1, old.width)

  const count = head + middle.starts.length + lines - tail
  const starts = new Uint32Array(count)
  starts.set(old.starts.subarray(0, head))
  starts.set(middle.starts, head)
  const rowsAbove = new Uint32Array(count + 1)
  rowsAbove.set(old.rowsAbove.subarray(0, head + 1))
  let next = head
  for (const rows of middle.rows) {
    rowsAbove[next + 1] = (rowsAbove[next] ?? 0) + rows
    next += 1
  }
  const moreRows = (rowsAbove[next] ?? 0) - (old.rowsAbove[tail] ?? 0)
  for (let line = tail; line < lines; line += 1, next += 1) {
    starts[next] = (old.starts[line] ?? 0) + shift
    rowsAbove[next + 1] = (old.rowsAbove[line + 1] ?? 0) + moreRows
  }
  return { text, width: old.width, starts, rowsAbove }
}

/** The lines of text[from, to): where each begins and how many rows it has. `to` is a newline or the end of the text. */
function scan(text: string, from: number, to: number, width: number): { starts: number[]; rows: number[] } {
  const starts: number[] = []
  const rows: number[] = []
  let at = from
  while (at <= to) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    starts.push(at)
    rows.push(rowStarts(text.slice(at, end), width).length)
    at = end + 1
  }
  return { starts, rows }
}

function sums(rows: Uint32Array): Uint32Array {
  const above = new Uint32Array(rows.length + 1)
  for (let line = 0; line < rows.length; line += 1) above[line + 1] = (above[line] ?? 0) + (rows[line] ?? 0)
  return above
}

/** A line's own text, without its newline. */
export function lineText(index: LineIndex, line: number): string {
  const next = index.starts[line + 1]
  return index.text.slice(index.starts[line] ?? 0, next === undefined ? index.text.length : next - 1)
}

/** The patches that turn one row of the terminal into another. */
import { fromAnsi, toAnsi, type AnsiStyle, type AnsiPiece } from '../text/ansi.ts'
import { displayWidth, graphemes, graphemeWidth, isNarrow } from '../text/width.ts'

type Cell = { readonly text: string; readonly look: AnsiStyle | null; readonly key: string }

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

const BLANK: Cell = { text: ' ', look: null, key: ' ' }
/** Fewer equal columns than these between two differences are written again: going over them costs as much. */
const NEAR = 8
/**
 * The parts of a row that differ, from left to right. In a row with characters about whose width terminals disagree,
 * nothing behind the first of them is left standing: it may not be where we think.
 */
export function rowPatches(from: string, to: string): Patch[] {
  if (from === to) return []
  const before = cellsOf(from)
  const after = cellsOf(to)
  const doubtful = Math.min(before.certain, after.certain)
  const end = Math.max(before.cells.length, after.cells.length)
  let first = 0
  while (first < end && keyAt(before.cells, first) === keyAt(after.cells, first)) first += 1
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

function keyAt(cells: readonly (Cell | null)[], column: number): string {
  const cell = cells[column]
  return cell === undefined ? BLANK.key : (cell?.key ?? '')
}

/** One entry a column; the second column of a wide character is null. `certain` is where the first doubtful one stands. */
function cellsOf(row: string): { cells: (Cell | null)[]; certain: number } {
  const cells: (Cell | null)[] = []
  let doubtful = Number.POSITIVE_INFINITY
  for (const { text, tag } of fromAnsi(row)) {
    const isPlain = tag.attributes.length === 0 && tag.link === ''
    const prefix = isPlain ? '' : `${tag.attributes.map(attribute => attribute.on).join(';')}|${tag.link}|`
    if (doubtful === Number.POSITIVE_INFINITY && !isNarrow(text)) doubtful = cells.length
    for (const grapheme of graphemes(text)) {
      cells.push({ text: grapheme, look: isPlain ? null : tag, key: prefix + grapheme })
      for (let width = graphemeWidth(grapheme); width > 1; width -= 1) cells.push(null)
    }
  }
  while (cells.at(-1)?.key === BLANK.key) cells.pop()
  return { cells, certain: doubtful }
}

/** Blanks with nothing but a background up to the right edge. */
export type Band = {
  /** The row without them. */
  text: string
  /** What has the terminal give the rest of the row that background. */
  fill: string
}

/**
 * The band that a row ends with in a terminal of so many columns. Blanks that are written are text to a terminal, which
 * wraps them into a second row when it becomes narrower; a background up to the edge is none.
 */
export function bandOf(row: string, columns: number): Band | null {
  if (!row.includes(' \u001B') || displayWidth(row) !== columns) return null
  const pieces = fromAnsi(row)
  const last = pieces.at(-1)
  const [attribute, ...others] = last?.tag.attributes ?? []
  if (!last || attribute?.off !== BACKGROUND_OFF || others.length > 0 || last.tag.link !== '') return null
  const text = last.text.trimEnd()
  if (text === last.text) return null
  return {
    text: toAnsi([...pieces.slice(0, -1), { text, tag: last.tag }]),
    fill: `\u001B[${attribute.on}m\u001B[K\u001B[${BACKGROUND_OFF}m`,
  }
}

const BACKGROUND_OFF = '49'

type Range = { start: number; end: number }

function changedRanges(before: readonly (Cell | null)[], after: readonly (Cell | null)[], first: number): Range[] {
  const ranges: Range[] = []
  for (let column = first; column < after.length; column += 1) {
    if (keyAt(before, column) === keyAt(after, column)) continue
    const last = ranges.at(-1)
    if (last && column - last.end < NEAR) last.end = column + 1
    else ranges.push({ start: column, end: column + 1 })
  }
  return ranges
}

function patch(after: readonly (Cell | null)[], { start, end }: Range): Patch {
  return { column: start, text: draw(after.slice(start, end)), end, eraseRest: false }
}

function rest(after: readonly (Cell | null)[], column: number): Patch {
  return { column, text: draw(after.slice(column)), end: null, eraseRest: true }
}

function draw(cells: readonly (Cell | null)[]): string {
  const pieces: AnsiPiece<AnsiStyle>[] = []
  for (const cell of cells) {
    if (!cell) continue
    const last = pieces.at(-1)
    const tag = cell.look ?? plain
    if (last && last.tag === tag) pieces[pieces.length - 1] = { text: last.text + cell.text, tag }
    else pieces.push({ text: cell.text, tag })
  }
  return toAnsi(pieces)
}

const plain: AnsiStyle = { attributes: [], link: '' }

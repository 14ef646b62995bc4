import { wrapPieces } from '../text/wrap.ts'
import { displayWidth } from '../text/width.ts'
import type { Align, Links } from './block.ts'
import { type StyledText, inlineLines, paintLine } from './inline.ts'
import { cellsOf } from './line.ts'
import type { MarkdownStyle, MarkdownPaint } from './style.ts'

type Table = { rows: readonly string[]; aligns: readonly Align[]; links: Links }

/** A cell's text on one line, and its columns. */
type Cell = { readonly pieces: readonly StyledText[]; readonly width: number }

/** Blank columns between two columns; there are no other lines between them, so that copies are clean. */
const gap = 2

/** A column that had to shrink below this is easier to read as `header: value`. */
const narrowest = 8

/**
 * A table in at most `width` columns. Columns are as wide as their widest cell; where that is too much the widest ones
 * shrink and their cells wrap; where too little would be left, each row becomes a list of `header: value`.
 */
export function tableLines(
  table: Table,
  style: MarkdownStyle,
  width: number,
  base: readonly MarkdownPaint[],
): string[] {
  const count = table.aligns.length
  const [header = [], ...body] = table.rows.map((row, index) => {
    const cells = columnsOf(row, count)
    const paints = index === 0 ? [...base, style.tableHeader] : base
    return Array.from({ length: count }, (_, column) => cellOf(cells[column] ?? '', table.links, style, paints))
  })
  const natural = header.map((cell, column) =>
    body.reduce((most, row) => Math.max(most, row[column]?.width ?? 0), cell.width),
  )
  const widths = style.tablesByRow ? null : fitted(natural, width - gap * (count - 1))
  if (widths === null) return listed(header, body, width)
  const rule = widths.map(columns => [styledRule(Math.max(1, columns), style)])
  const draw = (row: readonly Cell[]): string[] => rowLines(row, widths, table.aligns)
  const ruled = rowLines(
    rule.map(pieces => ({ pieces, width: 0 })),
    widths,
    table.aligns,
  )
  const lines = [...draw(header), ...ruled]
  let wrapped = false
  for (const [index, row] of body.entries()) {
    const drawn = draw(row)
    // A blank line separates rows of several lines.
    if (index > 0 && (wrapped || drawn.length > 1)) lines.push('')
    lines.push(...drawn)
    wrapped = drawn.length > 1
  }
  return lines
}

/** The row's cells. GFM drops those beyond the header; here they stay readable in the last one. */
function columnsOf(row: string, count: number): string[] {
  const cells = cellsOf(row)
  return cells.length <= count ? cells : [...cells.slice(0, count - 1), cells.slice(count - 1).join(' | ')]
}

function cellOf(text: string, links: Links, style: MarkdownStyle, paints: readonly MarkdownPaint[]): Cell {
  const pieces = inlineLines(text, links, style, paints).flat()
  return { pieces, width: displayWidth(pieces.map(piece => piece.text).join('')) }
}

function styledRule(columns: number, style: MarkdownStyle): StyledText {
  return { text: (style.unicode ? '─' : '-').repeat(columns), tag: { paints: [style.tableRule], link: '' } }
}

/** The columns' widths when together they may take `room`; null when they would be too narrow to read. */
function fitted(natural: readonly number[], room: number): number[] | null {
  if (sum(natural) <= room) return [...natural]
  // The largest limit under which all fit: only the columns above it shrink.
  let limit = 0
  let left = room
  const ascending = natural.toSorted((a, b) => a - b)
  for (const [index, columns] of ascending.entries()) {
    limit = Math.floor(left / (ascending.length - index))
    if (columns > limit) break
    left -= columns
  }
  return limit < narrowest ? null : natural.map(columns => Math.min(columns, limit))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function rowLines(row: readonly Cell[], widths: readonly number[], aligns: readonly Align[]): string[] {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0
    return cell.width <= width ? [cell.pieces] : wrapPieces(cell.pieces, width)
  })
  const height = Math.max(...cells.map(lines => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cellLine(
      cells.map(lines => lines[line] ?? []),
      widths,
      aligns,
    ),
  )
}

function cellLine(
  cells: readonly (readonly StyledText[])[],
  widths: readonly number[],
  aligns: readonly Align[],
): string {
  let line = ''
  // Blanks are written only before something, so none trails.
  let blanks = 0
  for (const [column, pieces] of cells.entries()) {
    const width = widths[column] ?? 0
    const used = displayWidth(pieces.map(piece => piece.text).join(''))
    const spare = Math.max(0, width - used)
    const align = aligns[column]
    const before = align === 'right' ? spare : align === 'center' ? Math.floor(spare / 2) : 0
    if (used > 0) line += ' '.repeat(blanks + before) + paintLine(pieces)
    blanks = used > 0 ? spare - before + gap : blanks + width + gap
  }
  return line
}

function listed(header: readonly Cell[], body: readonly (readonly Cell[])[], width: number): string[] {
  const titles = header.flatMap(cell => wrapPieces(cell.pieces, width).map(paintLine))
  if (body.length === 0) return titles
  // A single name for two columns names the table; then the first cell names the second.
  if (header.length === 2 && header[1]?.width === 0)
    return [...titles, ...body.flatMap(([name, cell]) => (cell ? pairLines(name, cell, width) : []))]
  return body.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) => pairLines(header[column], cell, width))
    return index > 0 ? ['', ...lines] : lines
  })
}

function pairLines(header: Cell | undefined, cell: Cell, width: number): string[] {
  const name = header?.pieces ?? []
  const colon: StyledText = { text: ': ', tag: name.at(-1)?.tag ?? { paints: [], link: '' } }
  return wrapPieces(
    name.length === 0 ? cell.pieces : [...name, { ...colon, tag: { ...colon.tag, link: '' } }, ...cell.pieces],
    width,
  ).map(paintLine)
}

import type { SafeText } from '../text/sanitize.ts'
import { blanks, empty, joinedText, joinStyled, type Styled, type TextStyle } from '../text/styled.ts'
import { displayWidth } from '../text/lines/width.ts'
import { wrapSpans } from '../text/lines/wrap.ts'
import type { Align, Links } from './block.ts'
import { inlineLines, inlineSpan, lineOf, type InlineSpan } from './inline.ts'
import { cellsOf } from './blocks/line.ts'
import type { MarkdownStyle } from './style.ts'

type Table = { rows: readonly string[]; aligns: readonly Align[]; links: Links }

/** A cell's text on one line, and its columns. */
type TableCell = { readonly spans: readonly InlineSpan[]; readonly width: number }

/** Blank columns between two columns; there are no other lines between them, so that copies are clean. */
const gap = 2

/** A column that had to shrink below this is easier to read as `header: value`. */
const narrowest = 8

/**
 * A table in at most `width` columns. Columns are as wide as their widest cell; if that is too much, the widest ones
 * shrink and their cells wrap; if too little would be left, each row becomes a list of `header: value`.
 */
export function tableLines(table: Table, style: MarkdownStyle, width: number, base: readonly TextStyle[]): Styled[] {
  const count = table.aligns.length
  const [header = [], ...body] = table.rows.map((row, index) => {
    const cells = columnsOf(row, count)
    const looks = index === 0 ? [...base, style.tableHeader] : base
    return Array.from({ length: count }, (_, column) => cellOf(cells[column] ?? '', table.links, style, looks))
  })
  const natural = header.map((cell, column) =>
    body.reduce((most, row) => Math.max(most, row[column]?.width ?? 0), cell.width),
  )
  const widths = style.tablesByRow ? null : fitted(natural, width - gap * (count - 1))
  if (widths === null) return listed(header, body, width)
  const rule = widths.map(columns => [styledRule(Math.max(1, columns), style)])
  const draw = (row: readonly TableCell[]): Styled[] => rowLines(row, widths, table.aligns)
  const ruled = rowLines(
    rule.map(spans => ({ spans, width: 0 })),
    widths,
    table.aligns,
  )
  const lines = [...draw(header), ...ruled]
  let wrapped = false
  for (const [index, row] of body.entries()) {
    const drawn = draw(row)
    // A blank line separates rows of several lines.
    if (index > 0 && (wrapped || drawn.length > 1)) lines.push(empty)
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

function cellOf(text: string, links: Links, style: MarkdownStyle, looks: readonly TextStyle[]): TableCell {
  const spans = inlineLines(text, links, style, looks).flat()
  return { spans, width: displayWidth(joinedText(spans)) }
}

function styledRule(columns: number, style: MarkdownStyle): InlineSpan {
  return inlineSpan((style.unicode ? '─' : '-').repeat(columns), style.tableRule)
}

/** The columns' widths in at most `room` together; null if they would be too narrow to read. */
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

function rowLines(row: readonly TableCell[], widths: readonly number[], aligns: readonly Align[]): Styled[] {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0
    return cell.width <= width ? [cell.spans] : wrapSpans(cell.spans, width)
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
  cells: readonly (readonly InlineSpan[])[],
  widths: readonly number[],
  aligns: readonly Align[],
): Styled {
  const parts: (SafeText | Styled)[] = []
  // Blanks are written only before something, so none trails.
  let missing = 0
  for (const [column, spans] of cells.entries()) {
    const width = widths[column] ?? 0
    const used = displayWidth(joinedText(spans))
    const spare = Math.max(0, width - used)
    const align = aligns[column]
    const before = align === 'right' ? spare : align === 'center' ? Math.floor(spare / 2) : 0
    if (used > 0) parts.push(blanks(missing + before), lineOf(spans))
    missing = used > 0 ? spare - before + gap : missing + width + gap
  }
  return joinStyled(parts)
}

function listed(header: readonly TableCell[], body: readonly (readonly TableCell[])[], width: number): Styled[] {
  const titles = header.flatMap(cell => wrapSpans(cell.spans, width).map(lineOf))
  if (body.length === 0) return titles
  // A single name for two columns names the table; then the first cell names the second.
  if (header.length === 2 && header[1]?.width === 0)
    return [...titles, ...body.flatMap(([name, cell]) => (cell ? pairLines(name, cell, width) : []))]
  return body.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) => pairLines(header[column], cell, width))
    return index > 0 ? [empty, ...lines] : lines
  })
}

function pairLines(header: TableCell | undefined, cell: TableCell, width: number): Styled[] {
  const name = header?.spans ?? []
  const colon = inlineSpan(': ', ...(name.at(-1)?.style.looks ?? []))
  return wrapSpans(name.length === 0 ? cell.spans : [...name, colon, ...cell.spans], width).map(lineOf)
}

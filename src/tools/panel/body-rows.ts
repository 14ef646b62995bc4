/** Lines below a title: cut or wrapped, the first or the last of many, never more than fit. */
import { counted } from '../../text/counted.ts'
import { keyed } from '../../text/key-hints.ts'
import { countNewlines } from '../../text/lines/measure.ts'
import { sanitize, type SafeText } from '../../text/sanitize.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { expandLineTabs } from '../../text/lines/tabs.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { empty, indented, type Paint, type Styled } from '../../style/styled.ts'
import { clipLine } from '../code.ts'
import { LOOKED_AT_LIVE } from '../summary.ts'
import { plainLines, printedLines } from './output.ts'
import type { ToolContext } from './tool-context.ts'

/** Rows shown of anything in full detail. */
const FULL_ROWS = 200
/** Rows shown where there is no limit. */
const WHOLE_ROWS = 1_000_000
/** Characters read of a long text to find its first or last lines. */
const LOOKED_AT = 16 * 1024
const LOOKED_AT_FULL = 256 * 1024

export type BodyRows = {
  /** Rows that may be shown. */
  most: number
  /** Rows that may be shown if those are all. */
  all?: number
  context: ToolContext
  paint: Paint
  /** Whether wrapped lines break between words instead of anywhere. */
  words?: boolean
  /** Whether lines are wrapped even in short detail. */
  wrapped?: boolean
}

/** Sanitises a text and splits it into lines; styled lines keep their style. */
export type ReadLines = (raw: string, rows: BodyRows) => Styled[]

export const asText: ReadLines = raw => plainLines(sanitize(raw))

export const asPrinted: ReadLines = (raw, { context, paint }) => printedLines(raw, context.theme, paint)

export function isFull(context: ToolContext): boolean {
  return context.detail === 'full'
}

export function bodyIndent(width: number): number {
  return width >= 60 ? 4 : width >= 12 ? 2 : 0
}

/** The first lines of a text, sanitised by `read`, and the number of the rest. */
export function headRows(text: string, read: ReadLines, rows: BodyRows): Styled[] {
  const looked = text.length > limit(rows) ? text.slice(0, limit(rows)) : text
  const lines = visibleLines(read(looked, rows), rows)
  const most = mostOf(lines, rows)
  const shown = flow(clipped(lines.slice(0, most), rows), { ...rows, most })
  const unseen = looked === text ? 0 : countNewlines(text, looked.length, text.length)
  const hidden = lines.length - shown.lines + unseen
  return [...shown.rows, ...moreRow(hidden, rows.context)]
}

/** The last lines, below the number of earlier ones. */
export function tailRows(text: string, read: ReadLines, rows: BodyRows): Styled[] {
  const start = startOfTail(text, limit(rows))
  const lines = visibleLines(read(text.slice(start), rows), rows)
  const most = mostOf(lines, rows)
  const shown = flow(clipped(lines.slice(-most), rows).toReversed(), { ...rows, most }, true)
  const hidden = lines.length - shown.lines + countNewlines(text, 0, start)
  return [...moreRow(hidden, rows.context), ...shown.rows.toReversed()]
}

/** The rows to show: one more line takes no more room than saying that there is one. */
function mostOf(lines: readonly unknown[], { most, all = most + 1 }: BodyRows): number {
  return lines.length <= all ? Math.max(most, all) : most
}

/** The last lines of a growing text; earlier ones are not even counted. */
export function liveRows(text: string, read: ReadLines, rows: BodyRows): Styled[] {
  const lines = visibleLines(read(text.slice(startOfTail(text, LOOKED_AT_LIVE)), rows), rows)
  return flow(clipped(lines.slice(-rows.most), rows), { ...rows, wrapped: false }).rows
}

/** Painted lines, as many as fit. */
export function paintedRows(lines: readonly Styled[], rows: BodyRows): Styled[] {
  return flow(lines, rows).rows
}

export function moreRow(hidden: number, context: ToolContext): Styled[] {
  if (hidden <= 0) return []
  const count = `+${counted(hidden, 'line')}`
  const { asked, keyNames } = context
  const isCut = asked !== undefined && keyNames !== undefined && !isFull(context)
  const how = isCut
    ? keyed(keyNames, asked.isPartial ? ' kept, {composer.view} shows them' : ', {composer.view} shows all')
    : ''
  return [row(sanitize(`${count}${how}`), context, context.theme.dim)]
}

export function row(text: SafeText | Styled, { width, theme }: ToolContext, paint: Paint): Styled {
  const indent = bodyIndent(width)
  return indented(indent, paint(truncate(text, Math.max(1, width - indent), theme.signs.ellipsis)))
}

function flow(
  lines: readonly Styled[],
  { most, context, paint, words = false, wrapped = isFull(context) }: BodyRows,
  upward = false,
): { rows: Styled[]; lines: number } {
  const indent = bodyIndent(context.width)
  const { ellipsis } = context.theme.signs
  const room = Math.max(1, context.width - indent)
  const rows: Styled[] = []
  let done = 0
  for (const line of lines) {
    const parts = wrapped ? wrap(line, room, words ? 'words' : 'anywhere') : [truncate(line, room, ellipsis)]
    if (rows.length > 0 && rows.length + parts.length > most) break
    const fitting = upward ? parts.slice(-most).toReversed() : parts.slice(0, most)
    rows.push(...fitting.map(part => (part === empty ? empty : indented(indent, part.isPlain ? paint(part) : part))))
    // A line taller than the room is not completely shown.
    if (fitting.length === parts.length) done += 1
  }
  return { rows, lines: done }
}

export function fullRows({ whole = false }: ToolContext): number {
  return whole ? WHOLE_ROWS : FULL_ROWS
}

function limit({ context }: BodyRows): number {
  if (context.whole) return Number.POSITIVE_INFINITY
  return isFull(context) ? LOOKED_AT_FULL : LOOKED_AT
}

/** The start of the last `length` characters or so, at the beginning of a line if there is one. */
function startOfTail(text: string, length: number): number {
  if (text.length <= length) return 0
  const near = text.length - length
  const newline = text.indexOf('\n', near)
  // Nothing follows a newline at the very end.
  return newline < 0 || newline >= text.length - 1 ? near : newline + 1
}

function clipped(lines: readonly Styled[], { context }: BodyRows): Styled[] {
  const width = isComplete(context) ? FULL_ROWS * context.width : context.width
  return lines.map(line => expandLineTabs(clipLine(line, width), 8))
}

/** Whether every line is shown as printed, including empty ones. */
function isComplete(context: ToolContext): boolean {
  return isFull(context) || context.asked !== undefined
}

/** Drops empty lines at the end; all empty lines in short detail. */
function visibleLines(lines: Styled[], { context }: BodyRows): Styled[] {
  if (!isComplete(context)) return lines.filter(line => line.text.trim() !== '')
  while (lines.length > 0 && lines.at(-1)?.text.trim() === '') lines.pop()
  return lines
}

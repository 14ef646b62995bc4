/** The constructs that a line can begin, after CommonMark and GFM. Each function looks at one line only. */
import type { Align, Links } from '../block.ts'
import { expandTabs } from '../../text/lines/width.ts'
import { sanitize } from '../../text/sanitize.ts'
import { withoutEnd } from '../../text/without-end.ts'

/** A line as it is read: sanitised, with spaces for its tabs. */
export function printable(line: string): string {
  return expandTabs(sanitize(line))
}

export function isBlank(line: string): boolean {
  return line.trimStart() === ''
}

/** Columns of indentation; tabs are spaces by now. */
export function indentOf(line: string): number {
  let indent = 0
  while (line.charCodeAt(indent) === 0x20) indent++
  return indent
}

/** The line without up to `columns` spaces. */
export function outdent(line: string, columns: number): string {
  return line.slice(Math.min(columns, indentOf(line)))
}

/** The line after its quote mark; null without one. */
export function quoted(line: string): string | null {
  const match = /^ {0,3}> ?/.exec(line)
  return match === null ? null : line.slice(match[0].length)
}

export type Heading = { level: number; text: string }

export function headingOf(line: string): Heading | null {
  const match = /^ {0,3}(#{1,6})(?: +|$)/.exec(line)
  if (match === null) return null
  const text = line.slice(match[0].length).trimEnd()
  const body = withoutEnd(text, /#/)
  // Closing marks stand alone or after a blank; `C#` has none.
  const closed = body === '' || body.endsWith(' ')
  return { level: match[1]?.length ?? 1, text: closed ? body.trimEnd() : text }
}

export type Fence = { mark: string; indent: number; language: string }

export function fenceOf(line: string): Fence | null {
  const match = /^( {0,3})(`{3,}|~{3,})([^]*)$/.exec(line)
  if (match === null) return null
  const [, indent = '', mark = '', info = ''] = match
  if (mark.startsWith('`') && info.includes('`')) return null
  const word = /^[^\s{,]*/.exec(info.trim())?.[0] ?? ''
  return { mark, indent: indent.length, language: word.slice(0, 40).toLowerCase() }
}

export function closesFence(line: string, mark: string): boolean {
  if (indentOf(line) > 3) return false
  const run = line.trim()
  return run.length >= mark.length && run === mark.charAt(0).repeat(run.length)
}

export function isRule(line: string): boolean {
  const indent = indentOf(line)
  // Nearly all lines are none: this is asked about each, again and again while it grows.
  if (indent > 3 || !'*-_'.includes(line.charAt(indent))) return false
  const marks = line.replaceAll(' ', '')
  const mark = marks.charAt(0)
  return marks.length >= 3 && (mark === '*' || mark === '-' || mark === '_') && marks === mark.repeat(marks.length)
}

/** The level that an underline gives to the paragraph above it; null for any other line. */
export function underlineOf(line: string): 1 | 2 | null {
  const match = /^ {0,3}(?:(=+)|-+) *$/.exec(line)
  return match === null ? null : match[1] === undefined ? 2 : 1
}

export type Marker = {
  /** `-`, `*` or `+`, or the mark after a number; the same for all items of a list. */
  type: string
  ordinal: number | null
  /** Columns up to its text; lines that are indented so far belong to it. */
  offset: number
  rest: string
}

export function markerOf(line: string): Marker | null {
  const match = /^( {0,3})([-+*]|(\d{1,9})([.)]))( +|$)/.exec(line)
  if (match === null) return null
  const [whole, indent = '', mark = '', digits, delimiter, blank = ''] = match
  const empty = whole.length === line.length
  // Five blanks are one blank and indented code.
  const used = empty || blank.length > 4 ? 1 : blank.length
  const offset = indent.length + mark.length + used
  const ordinal = digits === undefined ? null : Number(digits)
  return { type: delimiter ?? mark, ordinal, offset, rest: empty ? '' : line.slice(offset) }
}

/** The box at the beginning of an item's text, and the text after it; null without one. */
export function taskOf(text: string): { done: boolean; rest: string } | null {
  const match = /^\[([ xX])\](?: +(?=\S)|$)/.exec(text)
  return match === null ? null : { done: match[1] !== ' ', rest: text.slice(match[0].length) }
}

/** The cells of a table row: split at each bar that is not escaped. */
export function cellsOf(row: string): string[] {
  const cells = row.trim().split(/(?<!\\)\|/)
  if (cells.length > 1 && cells[0]?.trim() === '') cells.shift()
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop()
  return cells.map(cell => cell.trim().replaceAll(String.raw`\|`, '|'))
}

/** More columns fit no screen. */
const mostColumns = 64

/** The alignments that a table's second row declares; null for any other line. */
export function alignsOf(line: string): Align[] | null {
  if (!/^[ |:-]+$/.test(line) || !/[|:]/.test(line) || indentOf(line) > 3) return null
  const cells = cellsOf(line)
  if (cells.length > mostColumns || !cells.every(cell => /^:?-+:?$/.test(cell))) return null
  return cells.map(cell => (cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : 'left'))
}

/** A link target's definition: `[label]: target "title"`. Footnotes (`[^1]:`) are text. */
export function definitionOf(line: string): { label: string; target: string } | null {
  if (!/^ {0,3}\[[^\]^]/.test(line)) return null
  const match = /^ {0,3}\[([^[\]]{1,200})\]: *(?:<([^<>]*)>|(\S+))(?: +(?:"[^"]*"|'[^']*'|\([^()]*\)))? *$/.exec(line)
  if (match === null) return null
  return { label: match[1] ?? '', target: match[2] ?? match[3] ?? '' }
}

/** More definitions than this are ignored: each one copies all earlier ones. */
const mostLinks = 500

/** The links with one more definition. The first one for a label counts. */
export function withDefinition(links: Links, { label, target }: { label: string; target: string }): Links {
  const key = label.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return links.has(key) || links.size >= mostLinks ? links : new Map([...links, [key, target]])
}

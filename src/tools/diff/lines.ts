/** A diff as lines for the terminal. */
import { numberOf, type DiffLine } from '../../text/diff-line.ts'
import { sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { truncate, type Ellipsis } from '../../text/lines/shorten.ts'
import { sliceOf } from '../../text/styled.ts'
import { displayWidth, expandTabs, graphemes, padStartTo } from '../../text/lines/width.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { changedPlaces, type ChangedRange } from './changed-words.ts'
import { drawn, empty, indented, joinStyled, type Paint, type Styled } from '../../style/styled.ts'
import type { PaintBand, Theme } from '../../style/theme.ts'
import { paintCode } from '../code.ts'

export type DiffStyle = {
  theme: Theme
  width: number
  indent: number
  /** The language of the file; '' if unknown. */
  language: string
  /** Lines of the diff that may be shown. */
  rows: number
  /** Whether long lines are wrapped instead of cut. */
  wrapped: boolean
  /** Whether it still changes: then bands end with their text, since a narrower terminal would wrap the rest. */
  open?: boolean
}

/** A terminal narrower than this has no columns for line numbers. */
const NUMBERS_FROM = 30

/** The first rows of a diff, and the number of the rest. */
export function diffLines(
  hunks: readonly (readonly DiffLine[])[],
  style: DiffStyle,
): { lines: Styled[]; hidden: number } {
  const shown = firstRows(hunks, style.rows)
  const numbers = shown.flat().map(row => String(numberOf(row) ?? '').length)
  const digits = style.width < NUMBERS_FROM ? 0 : Math.max(0, ...numbers)
  const gap = style.theme.markdown.unicode ? '⋯' : '...'
  const lines = shown.flatMap((rows, index) => [
    ...(index === 0 ? [] : [indented(style.indent, style.theme.dim(padStartTo(sanitize(gap), digits)))]),
    ...rowLines(colouredRows(rows, style), digits, style).flat(),
  ])
  const all = hunks.reduce((sum, rows) => sum + rows.length, 0)
  return { lines, hidden: all - shown.flat().length }
}

function firstRows(hunks: readonly (readonly DiffLine[])[], most: number): DiffLine[][] {
  const shown: DiffLine[][] = []
  let left = most
  for (const hunk of hunks) {
    // A gap takes a row as well.
    if (shown.length > 0) left -= 1
    if (left <= 0) break
    shown.push(hunk.slice(0, left))
    left -= hunk.length
  }
  return shown
}

/** A row as it is shown: in its colours, with the places that changed. */
export type ColouredRow = { row: DiffLine; text: SafeText; colours: Styled; marks: readonly ChangedRange[] }

/** Adjacent rows in their colours: what does not depend on the width. */
export function colouredRows(rows: readonly DiffLine[], style: Pick<DiffStyle, 'language' | 'theme'>): ColouredRow[] {
  const texts = rows.map(row => expandTabs(sanitizeExact(row.text)))
  const places = changedPlaces(rows, texts)
  const colours = coloured(rows, texts, style)
  return rows.map((row, index) => ({
    row,
    text: texts[index] ?? sanitize(''),
    colours: colours[index] ?? empty,
    marks: places[index] ?? [],
  }))
}

/** Adjacent rows, each as its lines. `digits` are the columns of the numbers, 0 for none; `number` gives the one of a row. */
export function rowLines(
  rows: readonly ColouredRow[],
  digits: number,
  style: Omit<DiffStyle, 'rows' | 'language'>,
  number: (row: DiffLine) => number | null = numberOf,
): Styled[][] {
  const { theme, width, indent } = style
  const room = Math.max(1, width - indent - digits - (digits > 0 ? 2 : 0) - 2)
  return rows.map(({ row, text, colours, marks }) => {
    const look = lookOf(row.sign, theme)
    const place = digits === 0 ? '' : `${padStartTo(sanitize(String(number(row) ?? '')), digits)}  `
    const from = style.wrapped ? 0 : windowStart(text, marks, room)
    const line = marked(colours, marks, look.word, from, theme.signs.ellipsis)
    const body = style.wrapped ? wrap(line, room, 'anywhere') : [truncate(line, room, theme.signs.ellipsis)]
    return body.map((part, nth) => {
      const head = sanitize(nth === 0 ? `${place}${row.sign}` : ' '.repeat(place.length + 1))
      const words = part === empty ? sanitize(head.trimEnd()) : head
      if (words === '') return empty
      const line = part === empty ? look.head(words) : drawn`${look.head(words)} ${part}`
      return indented(indent, look.line(line, style.open ? 0 : width - indent))
    })
  })
}

type SignLook = { head: Paint; line: PaintBand; word: Paint }

function lookOf(sign: DiffLine['sign'], theme: Theme): SignLook {
  if (sign === '+') return { head: theme.added, line: theme.addedLine, word: theme.addedWord }
  if (sign === '-') return { head: theme.removed, line: theme.removedLine, word: theme.removedWord }
  return { head: text => drawn`${text}`, line: line => theme.dim(line), word: text => drawn`${text}` }
}

/** Highlights each side as a separate text: a removed line does not open a comment in the line that replaced it. */
function coloured(
  rows: readonly DiffLine[],
  texts: readonly SafeText[],
  { language, theme }: Pick<DiffStyle, 'language' | 'theme'>,
): Styled[] {
  const result = texts.map(text => drawn`${text}`)
  for (const other of language === '' ? [] : (['+', '-'] as const)) {
    const side = [...rows.keys()].filter(index => rows[index]?.sign !== other)
    const lines = paintCode(side.map(index => texts[index] ?? '').join('\n'), language, theme.markdown)
    for (const [nth, index] of side.entries()) result[index] = lines[nth] ?? empty
  }
  if (result.some(line => !line.isPlain)) return result
  // Without highlighting for this language, at least green and red.
  return result.map((line, index) => {
    const sign = rows[index]?.sign
    return sign === '+' ? theme.added(line) : sign === '-' ? theme.removed(line) : line
  })
}

/** The line from `from` on, with its changes marked. */
function marked(line: Styled, marks: readonly ChangedRange[], paint: Paint, from: number, ellipsis: Ellipsis): Styled {
  if (marks.length === 0 && from === 0) return line
  const bounds = marks.flatMap(([start, end]) => [Math.max(from, start), Math.max(from, end)])
  const cuts = [from, ...bounds, line.text.length]
  const parts = cuts.slice(1).map((end, index) => {
    const part = sliceOf(line, cuts[index] ?? 0, end)
    return index % 2 === 1 ? paint(part) : part
  })
  return joinStyled(from > 0 ? [sanitize(ellipsis), ...parts] : parts)
}

/** The start of the visible part of a long line: near its first change. */
function windowStart(text: string, marks: readonly ChangedRange[], room: number): number {
  const first = marks[0]?.[0] ?? 0
  if (displayWidth(text) <= room || displayWidth(text.slice(0, first)) < room * 0.7) return 0
  const start = Math.max(0, first - Math.floor(room / 3))
  let at = 0
  for (const grapheme of graphemes(text)) {
    if (at >= start) break
    at += grapheme.length
  }
  return at
}

/**
 * Wraps what is printed. `breaks.ts` says where a line may end, here and in the composer, whose rows differ in four ways, since a caret
 * stands in them. There, blanks at a break or at the beginning stay in their row, and here they are dropped; a tab counts from the
 * start of its row, and here from that of its line; the last column belongs to the caret; and a character that is wider than a
 * row has a sign instead, and here it is cut.
 */
import type { SafeText } from '../sanitize.ts'
import { cutSpans, joinedText, Styled, type Range, type Span } from '../styled.ts'
import { mayBreak } from './breaks.ts'
import { expandLineTabs } from './tabs.ts'
import { expandTabs, graphemes, graphemeWidth, isNarrow } from './width.ts'

/** `words` breaks at blanks and between CJK characters; `anywhere` fills each line, as code needs it. */
export type Breaking = 'words' | 'anywhere'

/**
 * Wraps a text or a line to lines of at most `width` columns (at least 2 are assumed). Styles are carried over to the lines
 * that follow; words that are too long are broken; no line ends with a blank. Newlines are kept, tabs become spaces.
 */
export function wrap(text: Styled, width: number, breaking?: Breaking): Styled[]
export function wrap(text: SafeText, width: number, breaking?: Breaking): SafeText[]
export function wrap(text: string, width: number, breaking?: Breaking): string[]
export function wrap(text: string | Styled, width: number, breaking: Breaking = 'words'): (string | Styled)[] {
  if (typeof text !== 'string') return wrapLine(expandLineTabs(text), width, breaking)
  return expandTabs(text)
    .split('\n')
    .flatMap(line => rangesOf(line, width, breaking).map(([start, end]) => line.slice(start, end)))
}

function wrapLine(line: Styled, width: number, breaking: Breaking): Styled[] {
  const ranges = rangesOf(line.text, width, breaking)
  const [[start, end] = [0, 0]] = ranges
  if (ranges.length === 1 && start === 0 && end === line.text.length) return [line]
  return cutSpans(line.spans, ranges).map(spans => Styled.of(spans))
}

/** Wraps one line that is made of spans. An empty line gives one empty line. */
export function wrapSpans<Style>(spans: readonly Span<Style>[], width: number): Span<Style>[][] {
  return cutSpans(spans, rangesOf(joinedText(spans), width, 'words'))
}

/** The ranges of the wrapped lines of a text without newlines. Text between two ranges is blank. Never empty. */
export function rangesOf(text: string, width: number, breaking: Breaking): Range[] {
  const room = Math.max(2, Math.floor(width))
  if (text.length <= room && isNarrow(text)) return [[0, text.trimEnd().length]]
  const ranges = breaking === 'words' ? wordRanges(text, room) : fullRanges(text, 0, text.length, room)
  return ranges.length > 0 ? ranges : [[0, 0]]
}

function wordRanges(text: string, room: number): Range[] {
  const ranges: Range[] = []
  let start = 0
  let end = 0
  let used = 0
  let blank = 0
  for (const unit of units(text)) {
    if (unit.blank) {
      blank = unit.width
    } else if (used + blank + unit.width <= room) {
      used += blank + unit.width
      end = unit.end
      blank = 0
    } else {
      // The blanks before this word are dropped with the break, as is an indentation that leaves no room for a word.
      if (end > start) ranges.push([start, end])
      const parts = unit.width <= room ? [] : fullRanges(text, unit.start, unit.end, room)
      ;[start, end] = parts.pop() ?? [unit.start, unit.end]
      // Pushed one by one: a word of megabytes has more parts than a call can have arguments.
      for (const part of parts) ranges.push(part)
      used = unit.width <= room ? unit.width : columns(text.slice(start, end), room)
      blank = 0
    }
  }
  if (end > start) ranges.push([start, end])
  return ranges
}

function columns(text: string, room: number): number {
  let width = 0
  for (const [, own] of cells(text, room)) width += own
  return width
}

/**
 * Fills each line up to the last column. Blanks before a break begin the next line, so that none is lost and no line ends with
 * one.
 */
function fullRanges(text: string, from: number, to: number, room: number): Range[] {
  const ranges: Range[] = []
  let start = from
  let solid = from
  let at = from
  let used = 0
  let blank = 0
  for (const [cell, width] of cells(text.slice(from, to), room)) {
    if (used + width > room) {
      // A line of blanks stays empty, and so do blanks that would leave no room for the text after them.
      ranges.push([start, solid])
      const moved = solid > start && blank + width <= room
      start = moved ? solid : at
      solid = start
      used = moved ? blank : 0
      blank = used
    }
    at += cell.length
    used += width
    if (cell === ' ') {
      blank++
    } else {
      blank = 0
      solid = at
    }
  }
  if (solid > start || ranges.length === 0) ranges.push([start, solid])
  return ranges
}

/** Graphemes with their widths. One that is wider than a whole line (a base with very many spacing marks) is split. */
function* cells(text: string, room: number): Generator<readonly [cell: string, width: number]> {
  for (const grapheme of graphemes(text)) {
    const width = graphemeWidth(grapheme)
    if (width <= room) yield [grapheme, width]
    else for (const point of grapheme) yield [point, graphemeWidth(point)]
  }
}

type Unit = { start: number; end: number; width: number; blank: boolean }

function units(text: string): Iterable<Unit> {
  return isNarrow(text) ? narrowUnits(text) : wideUnits(text)
}

function* narrowUnits(text: string): Generator<Unit> {
  for (const match of text.matchAll(/ +|[^ ]+/g)) {
    const start = match.index
    const width = match[0].length
    yield { start, end: start + width, width, blank: match[0].startsWith(' ') }
  }
}

function* wideUnits(text: string): Generator<Unit> {
  let unit: Unit | undefined
  let before = ''
  let at = 0
  for (const grapheme of graphemes(text)) {
    const blank = grapheme === ' '
    if (unit !== undefined && (unit.blank !== blank || (!blank && mayBreak(before, grapheme)))) {
      yield unit
      unit = undefined
    }
    unit ??= { start: at, end: at, width: 0, blank }
    at += grapheme.length
    unit.end = at
    unit.width += graphemeWidth(grapheme)
    before = grapheme
  }
  if (unit !== undefined) yield unit
}

import stringWidth from 'string-width'
import type { SafeText } from '../controls/safe-text.ts'

/** A width and a height in terminal cells. */
export type Size = { columns: number; rows: number }

/** Characters that take one column in every terminal and never join with others: ASCII, Latin, our own glyphs and lines. */
const narrow =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u203a\u2500-\u257f\u258c\u25a0\u25a1\u25cb\u25cf\u2297\u2298\u2717\u2800-\u28ff]*$/

// Created when a text needs it, since the first one costs ten milliseconds.
let segmenter: Intl.Segmenter | undefined

// Measuring one grapheme takes several regular expressions, and texts use few different ones.
const known = new Map<string, number>()
const knownLimit = 8192

/**
 * Whether every character surely takes one column and is its own grapheme, so that the length is the width. Most texts are like
 * this, and others cost much more to measure.
 */
export function isNarrow(text: string): boolean {
  return narrow.test(text)
}

/**
 * Columns that a terminal gives this text: 0 for combining marks, 2 for wide characters and emoji. A styled line knows
 * its own. Ink uses the same engine: two different ones would disagree.
 */
export function displayWidth(text: string | { readonly width: number }): number {
  if (typeof text !== 'string') return text.width
  if (narrow.test(text)) return text.length
  let width = 0
  for (const grapheme of segments(text)) width += graphemeWidth(grapheme)
  return width
}

/** Columns of one grapheme that holds no escape sequence. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && narrow.test(grapheme)) return 1
  const seen = known.get(grapheme)
  if (seen !== undefined) return seen
  const width = stringWidth(grapheme)
  if (known.size >= knownLimit) known.clear()
  known.set(grapheme, width)
  return width
}

/** The graphemes of a text without escape sequences: what a user sees as one character each. */
export function graphemes(text: string): Iterable<string> {
  return narrow.test(text) ? text : segments(text)
}

function* segments(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The text padded with spaces to `width` columns. A wider text stays as it is. */
export function padTo(text: SafeText, width: number): SafeText
export function padTo(text: string, width: number): string
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** The text padded with spaces on the left to `width` columns. */
export function padStartTo(text: SafeText, width: number): SafeText
export function padStartTo(text: string, width: number): string
export function padStartTo(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text
}

/** Replaces each tab by the spaces up to its stop, counted in columns from the beginning of its line. */
export function expandTabs(text: SafeText, stop?: number): SafeText
export function expandTabs(text: string, stop?: number): string
export function expandTabs(text: string, stop = 4): string {
  if (!text.includes('\t')) return text
  return text
    .split('\n')
    .map(line => expandLine(line, stop))
    .join('\n')
}

function expandLine(line: string, stop: number): string {
  const parts: string[] = []
  let column = 0
  for (const [index, part] of line.split('\t').entries()) {
    const gap = index === 0 ? 0 : stop - (column % stop)
    const width = displayWidth(part)
    parts.push(' '.repeat(gap), part)
    column += gap + width
  }
  return parts.join('')
}

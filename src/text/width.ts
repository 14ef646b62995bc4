import stringWidth from 'string-width'
import type { SafeText } from './sanitize.ts'

const printableAscii = /^[\u0020-\u007e]*$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

// One grapheme costs the width engine several regular expressions, and texts repeat few of them.
const known = new Map<string, number>()
const knownLimit = 8192

/** Whether every character takes exactly one column and is its own grapheme, so that columns can be counted as length. */
export function isPlainAscii(text: string): boolean {
  return printableAscii.test(text)
}

/**
 * Columns that a terminal gives this text: 0 for combining marks, 2 for wide characters and emoji. Our own SGR and OSC 8
 * sequences count nothing. The engine is the one Ink uses: two of them in one program drift.
 */
export function displayWidth(text: string): number {
  return printableAscii.test(text) ? text.length : stringWidth(text)
}

/** Columns of one grapheme that holds no escape sequence. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~') return 1
  const seen = known.get(grapheme)
  if (seen !== undefined) return seen
  const width = stringWidth(grapheme)
  if (known.size >= knownLimit) known.clear()
  known.set(grapheme, width)
  return width
}

/** The graphemes of a text without escape sequences: what a person sees as one character each. */
export function graphemes(text: string): Iterable<string> {
  return printableAscii.test(text) ? text : segments(text)
}

function* segments(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The text, followed by spaces up to `width` columns. A text that is wider stays as it is. */
export function padTo(text: SafeText, width: number): SafeText
export function padTo(text: string, width: number): string
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** The text after spaces that make it `width` columns, so that its end lines up. */
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

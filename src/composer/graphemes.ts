/**
 * The boundaries of characters, as people count them, and the columns that each takes.
 *
 * Intl.Segmenter is exact and slow (about a microsecond a character). Most text does not need it: between two
 * code units of PLAIN there is always a boundary, and their widths are known. The segmenter reads only the rest.
 */
import { chipColumns } from './chips.ts'
import { graphemeWidth } from '../text/lines/width.ts'

// Made when a text needs it: the first one costs the start ten milliseconds.
let segmenter: Intl.Segmenter | undefined

function inCharacters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** Columns of a code unit that never joins a neighbour of this table into one character; 0 is "ask the segmenter". */
const PLAIN = plainUnits([
  [0x0009, 0x000a, 1], // always characters of their own; the columns of a tab depend on where it stands
  [0x0020, 0x007e, 1],
  [0x00a1, 0x00a8, 1],
  [0x00aa, 0x00ac, 1],
  [0x00af, 0x02ff, 1], // Latin
  [0x0391, 0x0482, 1], // Greek, Cyrillic
  [0x048a, 0x052f, 1],
  [0x05d0, 0x05ea, 1], // Hebrew
  [0x0620, 0x064a, 1], // Arabic
  [0x2010, 0x2027, 1],
  [0x2500, 0x257f, 1], // boxes
  [0x3001, 0x3029, 2],
  [0x3041, 0x3096, 2], // kana
  [0x30a1, 0x30fa, 2],
  [0x3400, 0x4dbf, 2], // Han
  [0x4e00, 0x9fff, 2],
  [0xac00, 0xd7a3, 2], // Hangul
  [0xff01, 0xff60, 2],
])

function plainUnits(ranges: readonly (readonly [from: number, to: number, columns: number])[]): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const [from, to, columns] of ranges) table.fill(columns, from, to + 1)
  return table
}

function plainColumns(text: string, at: number): number {
  return PLAIN[text.charCodeAt(at)] ?? 0
}

/** Whether `at` is a boundary without asking the segmenter. The ends of the text are boundaries. */
function isPlainBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  return plainColumns(text, at - 1) > 0 && plainColumns(text, at) > 0
}

/** The character that `at` lies in or begins. The segmenter reads one line, since a line end is always a boundary. */
function characterAt(text: string, at: number): { readonly start: number; readonly end: number } {
  const lineStart = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const newline = text.indexOf('\n', at)
  if (newline === at) return { start: at, end: at + 1 }
  const line = text.slice(lineStart, newline < 0 ? text.length : newline)
  const found = inCharacters(line).containing(at - lineStart)
  if (found === undefined) return { start: at, end: at }
  return { start: lineStart + found.index, end: lineStart + found.index + found.segment.length }
}

/** The boundary after `at`; the end of the text stays where it is. */
export function nextBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  if (plainColumns(text, at) > 0 && isPlainBoundary(text, at + 1)) return at + 1
  return characterAt(text, at).end
}

/** The boundary before `at`; the start of the text stays where it is. */
export function previousBoundary(text: string, at: number): number {
  if (at <= 0) return 0
  if (plainColumns(text, at - 1) > 0 && isPlainBoundary(text, at - 1)) return at - 1
  return characterAt(text, at - 1).start
}

/** The nearest boundary at or after `at`, clamped to the text. */
export function boundaryFrom(text: string, at: number): number {
  const inside = Math.min(Math.max(at, 0), text.length)
  if (isPlainBoundary(text, inside)) return inside
  const character = characterAt(text, inside)
  return character.start === inside ? inside : character.end
}

/** The nearest boundary at or before `at`, clamped to the text. */
export function boundaryUpTo(text: string, at: number): number {
  const inside = Math.min(Math.max(at, 0), text.length)
  return isPlainBoundary(text, inside) ? inside : characterAt(text, inside).start
}

/**
 * Calls `emit` with the length in code units and the columns of each character of one line, from the boundary `from`
 * on, until it returns false. A tab counts one column here: its real width depends on its place.
 */
export function eachCharacter(line: string, emit: (length: number, columns: number) => boolean): void {
  let at = 0
  while (at < line.length) {
    const columns = plainColumns(line, at)
    if (columns > 0 && isPlainBoundary(line, at + 1)) {
      if (!emit(1, columns)) return
      at += 1
      continue
    }
    let end = at + 1
    while (!isPlainBoundary(line, end)) end += 1
    for (const { segment } of inCharacters(line.slice(at, end))) {
      if (!emit(segment.length, columnsOf(segment))) return
    }
    at = end
  }
}

function columnsOf(character: string): number {
  return character === '\t' ? 1 : (chipColumns(character) ?? graphemeWidth(character))
}

/** Text that has gone wrong in terminals before, and arbitraries made of it. */
import * as fc from 'fast-check'

export const FAMILY = '👩‍👩‍👧'
export const FLAG = '🇩🇪'
export const ACUTE = 'e\u0301'
export const KEYCAP = '1\ufe0f\u20e3'

/** Pieces that join, split and widen each other in every way that is known. */
export const PIECES = [
  'a',
  'b',
  'word',
  ' ',
  '  ',
  '\t',
  '\n',
  '.',
  '/',
  '汉',
  '字',
  'かな',
  'ｱﾞ',
  '한',
  '각',
  '\u1100',
  '\u1161',
  FAMILY,
  FLAG,
  '🇩',
  ACUTE,
  '\u0301',
  '\u200d',
  '\u200b',
  '\ufe0f',
  KEYCAP,
  '😀',
  '🏽',
  'שלום',
  'مَرحبا',
  '\u0600',
  'नमस्ते',
  'क्',
  'ि',
  'ไทย',
  '\u00ad',
  '\u2028',
  'x'.repeat(30),
  '—',
  '©',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\u{1D11E}',
]

export const pieces = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { maxLength }).map(parts => parts.join(''))

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The boundaries of a text, by the segmenter alone. */
export function boundaries(text: string): number[] {
  return [...Array.from(segmenter.segment(text), each => each.index), text.length]
}

/** The text with its caret as `|` and its selection's other end as `^`. */
export function shown(editor: { text: string; caret: number; anchor: number | null }): string {
  const marks: [number, string][] = [[editor.caret, '|']]
  if (editor.anchor !== null) marks.push([editor.anchor, '^'])
  let text = editor.text
  for (const [at, mark] of marks.toSorted((a, b) => b[0] - a[0])) text = text.slice(0, at) + mark + text.slice(at)
  return text
}

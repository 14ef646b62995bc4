import type { SafeText } from '../sanitize.ts'
import { plainStyle, sliceOf, Styled } from '../styled.ts'
import { displayWidth, graphemes, graphemeWidth, isNarrow } from './width.ts'

/** The mark of omitted text: the second one for plain ASCII. */
export type Ellipsis = '…' | '...'

/** The text cut to `width` columns, with `mark` at its end when something was cut. */
export function truncate(text: Styled, width: number, mark?: Ellipsis): Styled
export function truncate(text: SafeText, width: number, mark?: Ellipsis): SafeText
export function truncate(text: string, width: number, mark?: Ellipsis): string
export function truncate(text: SafeText | Styled, width: number, mark?: Ellipsis): SafeText | Styled
export function truncate(text: string | Styled, width: number, mark: Ellipsis = '…'): string | Styled {
  if (displayWidth(text) <= width) return text
  const ellipsis = mark.slice(0, Math.max(0, width)) as SafeText
  const room = width - ellipsis.length
  if (typeof text === 'string') return ellipsis === '' ? '' : text.slice(0, fitting(text, room)) + ellipsis
  const { spans } = sliceOf(text, 0, fitting(text.text, room))
  // The mark has the style of the last character, so that a coloured text does not end in a plain mark.
  return Styled.of([...spans, { text: ellipsis, style: spans.at(-1)?.style ?? plainStyle }])
}

/** The end of the text in `width` columns, with `mark` before it when something was cut. */
export function truncateStart(text: SafeText, width: number, mark?: Ellipsis): SafeText
export function truncateStart(text: string, width: number, mark?: Ellipsis): string
export function truncateStart(text: string, width: number, mark: Ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text
  const ellipsis = mark.slice(0, Math.max(0, width))
  if (ellipsis === '') return ''
  const all = [...graphemes(text)]
  let from = all.length
  let used = ellipsis.length
  while (from > 0) {
    used += graphemeWidth(all[from - 1] ?? '')
    if (used > width) break
    from--
  }
  return ellipsis + all.slice(from).join('')
}

/**
 * A path in at most `width` columns. Folders in its middle go first (`src/…/parser.ts`), then the first one, then the
 * beginning of the name: its end says what kind of file it is.
 */
export function shortenPath(path: SafeText, width: number, mark?: Ellipsis): SafeText
export function shortenPath(path: string, width: number, mark?: Ellipsis): string
export function shortenPath(path: string, width: number, mark: Ellipsis = '…'): string {
  if (displayWidth(path) <= width) return path
  const parts = path.split('/')
  const first = parts[0] === '' ? `/${parts[1] ?? ''}` : (parts[0] ?? '')
  const behind = parts[0] === '' ? 2 : 1
  for (let from = behind + 1; from < parts.length; from++) {
    const short = `${first}/${mark}/${parts.slice(from).join('/')}`
    if (displayWidth(short) <= width) return short
  }
  const name = parts.at(-1) ?? path
  const bare = `${mark}/${name}`
  if (parts.length > 1 && displayWidth(bare) <= width) return bare
  return truncateStart(name, width, mark)
}

/** The number of UTF-16 units of the text that fit into `width` columns. */
function fitting(text: string, width: number): number {
  if (isNarrow(text)) return Math.max(0, width)
  let at = 0
  let used = 0
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme)
    if (used > width) return at
    at += grapheme.length
  }
  return at
}

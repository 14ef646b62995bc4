/** The tabs of a styled line. */
import type { SafeText } from '../sanitize.ts'
import { blanks, Styled, type Span } from '../styled.ts'
import { displayWidth } from './width.ts'

/** Replaces each tab by the spaces up to its stop, counted in columns from the beginning of the line. */
export function expandLineTabs(line: Styled, stop = 4): Styled {
  if (!line.text.includes('\t')) return line
  const spans: Span[] = []
  let column = 0
  for (const { text, style } of line.spans) {
    for (const [index, part] of text.split('\t').entries()) {
      const gap = index === 0 ? 0 : stop - (column % stop)
      spans.push({ text: blanks(gap), style }, { text: part as SafeText, style })
      column += gap + displayWidth(part)
    }
  }
  return Styled.of(spans)
}

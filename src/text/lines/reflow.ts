/** Reflow: how a terminal changes its lines when its width changes. Pure. */
import type { Styled } from '../styled.ts'
import { displayWidth, expandTabs, graphemes, graphemeWidth, isNarrow } from './width.ts'

/**
 * `cuts`: each row stays a row, and text beyond the width is lost. `wraps`: it continues in the next row, and the
 * cursor stays at its place in the text. `sinks`: the same, but new rows below the cursor also move it down (xterm.js).
 */
export type Reflow = 'cuts' | 'wraps' | 'sinks'

/** The distance of a terminal's tab stops. */
const TAB = 8

/** The rows that a wrapped line takes. Blanks at its end take none: they were never written. */
export function rowsOf(line: Styled, columns: number): number {
  const text = expandTabs(line.text.trimEnd(), TAB)
  if (isNarrow(text)) return Math.max(1, Math.ceil(text.length / columns))
  if (displayWidth(text) <= columns) return 1
  let rows = 1
  let column = 0
  for (const grapheme of graphemes(text)) {
    const width = graphemeWidth(grapheme)
    // A wide character is never split over two rows.
    if (column + width > columns) {
      rows += 1
      column = 0
    }
    column += width
  }
  return rows
}

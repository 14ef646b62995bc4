/** A QR code for the terminal: dark on bright cells in any theme, since not every camera reads the opposite. */
import { sanitize } from '../../text/sanitize.ts'
import { Styled, textStyle, type Color, type TextStyle } from '../../text/styled.ts'
import { qrRows } from '../qr.ts'

type CodeTerminal = { columns: number; rows: number; showsUnicode: boolean; depth: 0 | 1 | 2 | 3 }

/** Rows below the code for its link. */
const BELOW = 3

/** The rows, or a sentence that says why there are none. */
export function codeRows(link: string, terminal: CodeTerminal): { rows: readonly Styled[] } | { reason: string } {
  if (!terminal.showsUnicode) return { reason: 'This terminal shows no QR code, since its locale is not UTF-8.' }
  const rows = qrRows(link)
  if (!rows) return { reason: 'The link is too long for a QR code.' }
  const [wide, high] = [rows[0]?.length ?? 0, rows.length]
  if (wide > terminal.columns || high + BELOW > terminal.rows)
    return { reason: `A QR code needs ${wide} columns and ${high + BELOW} rows.` }
  const style = styleOf(terminal.depth)
  return { rows: rows.map(row => Styled.of([{ text: sanitize(row), style }])) }
}

function styleOf(depth: 0 | 1 | 2 | 3): TextStyle {
  if (depth === 0) return textStyle({ attributes: ['inverse'] })
  // The first sixteen colours are the user's. The others are not.
  const [dark, bright] = depth === 1 ? [0, 15] : [16, 231]
  return textStyle({ color: palette(dark), background: palette(bright) })
}

function palette(index: number): Color {
  return { kind: 'palette', index }
}

/** QR codes for the terminal, two modules in a cell. */
import { encode } from 'uqr'
import { sanitize } from './sanitize.ts'
import { plainStyle, Styled, textStyle, type Color, type TextStyle } from './styled.ts'

/** Modules of the bright edge, without which no camera finds it. */
const EDGE = 2

/**
 * The code of a text: bright cells on dark ones in any theme. Without colours (`depth` 0) the bright ones are in the colour of the text. Null
 * for a text that is too long for a screen.
 */
export function qrRows(text: string, depth: 0 | 1 | 2 | 3): readonly Styled[] | null {
  if (Buffer.byteLength(text) > LONGEST) return null
  const { data, size } = encode(text, { ecc: 'L', border: EDGE })
  const style = styleOf(depth)
  const isDark = (x: number, y: number): boolean => data[y]?.[x] === true
  const rows: Styled[] = []
  for (let y = 0; y < size; y += 2) {
    // Below the last row there is nothing, which is dark.
    const cells = Array.from({ length: size }, (_, x) => cellOf(isDark(x, y), isDark(x, y + 1) || y + 1 >= size))
    rows.push(Styled.of([{ text: sanitize(cells.join('')), style }]))
  }
  return rows
}

/** Bytes. */
const LONGEST = 230

function cellOf(isTopDark: boolean, isBottomDark: boolean): string {
  if (isTopDark) return isBottomDark ? ' ' : '▄'
  return isBottomDark ? '▀' : '█'
}

function styleOf(depth: 0 | 1 | 2 | 3): TextStyle {
  if (depth === 0) return plainStyle
  // The first sixteen colours are the user's. The others are not.
  const [bright, dark] = depth === 1 ? [15, 0] : [231, 16]
  return textStyle({ color: palette(bright), background: palette(dark) })
}

function palette(index: number): Color {
  return { kind: 'palette', index }
}

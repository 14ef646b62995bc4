/** A program's output in its own colours: bold, and the terminal's sixteen colours as the theme defines them. */
import { linesOf, printedParts, sanitizeTerminalOutput, type SafeText } from '../../text/sanitize.ts'
import { rgb, to16 } from '../../style/color.ts'
import { drawn, joinStyled, type Paint, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'

/** Longer lines are data and lose their colours. */
const LONGEST = 4000

/** The current style, which carries over from line to line. */
type PrintedLook = { color: number | null; isBold: boolean }

const plain: PrintedLook = { color: null, isBold: false }

/** The sanitised lines. In a line with colours, the rest is painted as `base`; other lines are not painted. */
export function printedLines(raw: string, theme: Theme, base: Paint): Styled[] {
  if (!raw.includes('\u001B[')) return plainLines(sanitizeTerminalOutput(raw))
  let look = plain
  return raw.split('\n').map(line => {
    if (line.length > LONGEST) return drawn`${sanitizeTerminalOutput(line)}`
    const before = look
    const pieces = printedParts(line).map(({ text, sgr, fromStart }) => {
      look = sgr.reduce(after, fromStart ? before : look)
      return { text, look }
    })
    if (pieces.every(piece => piece.look === plain)) return joinStyled(pieces.map(({ text }) => text))
    return joinStyled(pieces.map(piece => painted(piece.text, piece.look, theme, base)))
  })
}

export function plainLines(text: SafeText): Styled[] {
  return linesOf(text).map(line => drawn`${line}`)
}

function painted(text: SafeText, { color, isBold }: PrintedLook, theme: Theme, base: Paint): Styled {
  const paint = color === null ? base : (theme.printed[color] ?? base)
  const shown = paint(text)
  return isBold ? theme.strong(shown) : drawn`${shown}`
}

/** The style after a sequence with these parameters, of which only colours and bold count. */
function after(look: PrintedLook, parameters: string): PrintedLook {
  const codes = parameters.split(/[;:]/).map(Number)
  let { color, isBold } = look
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 0) [color, isBold] = [null, false]
    else if (code === 1) isBold = true
    else if (code === 22) isBold = false
    else if (code === 39) color = null
    else if (code >= 30 && code <= 37) color = code - 30
    else if (code >= 90 && code <= 97) color = code - 82
    else if (code === 38 || code === 48 || code === 58) {
      const isIndex = codes[at + 1] === 5
      const value = isIndex ? indexed(codes[at + 2]) : mixed(codes.slice(at + 2, at + 5))
      if (code === 38) color = value
      at += isIndex ? 2 : 4
    }
  }
  return color === null && !isBold ? plain : { color, isBold }
}

function indexed(index = -1): number | null {
  return Number.isInteger(index) && index >= 0 && index <= 255 ? to16({ kind: 'palette', index }) : null
}

function mixed([red = -1, green = -1, blue = -1]: readonly number[]): number | null {
  const isColor = [red, green, blue].every(channel => channel >= 0 && channel <= 255)
  return isColor ? to16(rgb(red, green, blue)) : null
}

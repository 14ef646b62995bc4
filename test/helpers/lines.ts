/** Lines for tests: written as a terminal would get them, and read as texts. */
import { paintLine } from '../../src/terminal/output/paint.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import {
  linkedStyle,
  plainStyle,
  Styled,
  textStyle,
  type Attribute,
  type Color,
  type Span,
  type TextStyle,
} from '../../src/text/styled.ts'

const sequence = /\u001B\[([\d;]*)m|\u001B\]8;;([^\u001B]*)\u001B\\/g

/** The line that a terminal shows for a text with SGR and OSC 8 sequences. */
export function lineFrom(text: string): Styled {
  const spans: Span[] = []
  let style = plainStyle
  let at = 0
  const add = (end: number): number => spans.push({ text: sanitize(text.slice(at, end)), style })
  for (const match of text.matchAll(sequence)) {
    add(match.index)
    at = match.index + match[0].length
    style = match[1] === undefined ? linkedStyle(style, match[2] ?? '') : styleAfter(style, match[1])
  }
  add(text.length)
  return Styled.of(spans)
}

export const linesFrom = (...texts: readonly string[]): Styled[] => texts.map(lineFrom)

export const textsOf = (lines: readonly Styled[]): string[] => lines.map(line => line.text)

/** Text as a link that terminals with OSC 8 can open. */
export function hyperlink(text: string, target: string): string {
  return `\u001B]8;;${target}\u001B\\${text}\u001B]8;;\u001B\\`
}

const attributeOf: Readonly<Record<number, Attribute>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strike',
}

function styleAfter(before: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(';').map(Number)
  let { color, background, attributes } = before
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    const attribute = attributeOf[code]
    if (code === 0) [color, background, attributes] = [null, null, []]
    else if (attribute) attributes = [...attributes, attribute]
    else if (code === 22) attributes = attributes.filter(each => each !== 'bold' && each !== 'dim')
    else if (code > 22 && code < 30) attributes = attributes.filter(each => each !== attributeOf[code - 20])
    else if (code === 39) color = null
    else if (code === 49) background = null
    else if (code % 10 === 8) {
      const value: Color =
        codes[at + 1] === 5
          ? { kind: 'palette', index: codes[at + 2] ?? 0 }
          : { kind: 'rgb', red: codes[at + 2] ?? 0, green: codes[at + 3] ?? 0, blue: codes[at + 4] ?? 0 }
      if (code === 38) color = value
      else background = value
      at += value.kind === 'palette' ? 2 : 4
    } else {
      const index = code >= 90 ? (code % 10) + 8 : code % 10
      if (code < 40 || (code >= 90 && code < 100)) color = { kind: 'palette', index }
      else background = { kind: 'palette', index }
    }
  }
  return linkedStyle(textStyle({ color, background, attributes }), before.link)
}

/** The lines as a terminal gets them. */
export const paintedLines = (lines: readonly Styled[]): string[] => lines.map(paintLine)

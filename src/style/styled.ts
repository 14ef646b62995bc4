/**
 * Styled lines for the terminal, made only of safe text. Components take nothing else, so that raw text cannot reach
 * the screen.
 */
import { truncate, type Ellipsis } from '../text/lines/shorten.ts'
import type { SafeText } from '../text/sanitize.ts'
import { blanks, joinStyled, plainStyle, spansOf, Styled, type Span } from '../text/styled.ts'

export { empty, joinStyled, Styled } from '../text/styled.ts'

/** Colours a text without changing its width. */
export type Paint = (text: SafeText | Styled) => Styled

/** A template tag: literal text with safe or styled values in it. */
export function drawn(words: TemplateStringsArray, ...values: readonly (SafeText | Styled | number)[]): Styled {
  const spans: Span[] = []
  for (const [index, word] of words.entries()) {
    if (word !== '') spans.push({ text: word as SafeText, style: plainStyle })
    const value = values[index]
    if (value === undefined) continue
    if (typeof value === 'number') spans.push({ text: String(value) as SafeText, style: plainStyle })
    else spans.push(...spansOf(value))
  }
  return Styled.of(spans)
}

/** The text some columns to the right. */
export function indented(columns: number, text: SafeText | Styled): Styled {
  return joinStyled([blanks(columns), text])
}

/** `left` and `right` at the two ends of a line; `right` is dropped if there is no room for it. */
export function spread(left: Styled, right: Styled, width: number): Styled {
  const room = width - left.width - right.width
  return right.text === '' || room < 2 ? left : joinStyled([left, blanks(room), right])
}

/** The text padded with blanks to a width. */
export function filled(text: Styled, width: number): Styled {
  return joinStyled([text, blanks(width - text.width)])
}

/** The lines cut to `width`, for text that cannot be wrapped on a narrow terminal. */
export function fitted(lines: readonly Styled[], width: number, mark?: Ellipsis): Styled[] {
  return lines.map(line => truncate(line, width, mark))
}

/**
 * Lines as they go to the terminal: safe text with our own colours and links in it, and nothing else. A component takes
 * only these, so that raw text cannot reach the screen.
 */
import { truncate, type Ellipsis } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import type { SafeText } from '../text/sanitize.ts'

declare const brand: unique symbol

export type Styled = string & { readonly [brand]: true }

/** Colours a text without changing its width. */
export type Paint = (text: SafeText | Styled) => Styled

/** Template tag: our own words with safe or styled texts put in. */
export function drawn(words: TemplateStringsArray, ...values: readonly (SafeText | Styled | number)[]): Styled {
  return trusted(words.map((word, index) => word + String(values[index] ?? '')).join(''))
}

export function joinStyled(parts: readonly (SafeText | Styled)[], separator = ''): Styled {
  return trusted(parts.join(separator))
}

export const empty: Styled = trusted('')

/** The text some columns to the right. */
export function indented(columns: number, text: SafeText | Styled): Styled {
  return trusted(' '.repeat(columns) + text)
}

/** `left` and `right` at the two ends of a line; `right` falls away where there is no room for it. */
export function spread(left: Styled, right: Styled, width: number): Styled {
  const room = width - displayWidth(left) - displayWidth(right)
  if (right === '' || room < 2) return left
  return trusted(left + ' '.repeat(room) + right)
}

/** The text with blanks behind it, up to a width. */
export function filled(text: Styled, width: number): Styled {
  return trusted(text + ' '.repeat(Math.max(0, width - displayWidth(text))))
}

/** The lines, none wider than `width`: for what cannot be wrapped, on a terminal that is too narrow for it. */
export function fitted(lines: readonly Styled[], width: number, mark?: Ellipsis): Styled[] {
  return lines.map(line => (displayWidth(line) <= width ? line : trusted(truncate(line, width, mark))))
}

/** Only for what has just been made of safe texts and our own sequences, in `view` and `markdown`. */
export function trusted(text: string): Styled {
  return text as Styled
}

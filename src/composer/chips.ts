/**
 * Chips: one character in the composer's text that stands for more, such as a long paste, a picture or a file. To the editor
 * a chip is a character like any other: the caret passes it in one step, and deleting, undo and the kill ring need not
 * know about it. The character itself holds the width of its label, so that layout needs no table.
 *
 * The characters are those of the first plane for private use (U+F0000 and up). They are removed from text from outside.
 */

const FIRST = 0xf0000
/** Bits of the number; the bits above it are the columns less one. */
const NUMBER_BITS = 10
/** The number of distinct chips of one width. */
export const CHIP_NUMBERS = 1 << NUMBER_BITS
/** The widest label. */
export const CHIP_COLUMNS = 63
const LAST = FIRST + (CHIP_COLUMNS << NUMBER_BITS) - 1

const anyChip = /[\u{F0000}-\u{FFFFF}]/gu

/** The character of a chip whose label takes `columns` (1 to 63), made unique by `number` (0 to 1023). */
export function chipCharacter(columns: number, number: number): string {
  const width = Math.min(Math.max(1, columns), CHIP_COLUMNS)
  return String.fromCodePoint(FIRST + ((width - 1) << NUMBER_BITS) + (number % CHIP_NUMBERS))
}

/** The columns of a chip, or null if the text does not begin with one. */
export function chipColumns(text: string): number | null {
  const code = text.codePointAt(0) ?? 0
  return code >= FIRST && code <= LAST ? ((code - FIRST) >> NUMBER_BITS) + 1 : null
}

/** The chips in a text, in order. */
export function chipsIn(text: string): string[] {
  return text.match(anyChip) ?? []
}

/** The chips in a text with their offsets, in order. */
export function placedChips(text: string): { chip: string; at: number }[] {
  return [...text.matchAll(anyChip)].map(match => ({ chip: match[0], at: match.index }))
}

/** The text with each chip replaced by its `replacement`. */
export function replaceChips(text: string, replacement: (chip: string) => string): string {
  return text.replace(anyChip, replacement)
}

/** The text before, between and after its chips, with each chip between them. */
export function splitChips(text: string): string[] {
  return text.split(/([\u{F0000}-\u{FFFFF}])/u)
}

/** Removes the chips from text from outside. */
export function withoutChips(text: string): string {
  return text.replace(anyChip, '')
}

import { keyed, type KeyNames } from '../text/key-hints.ts'
import { counted } from '../text/counted.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { factsLine, type Fact } from './facts-line.ts'
import { indented, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'

/** A window of a list around the chosen row: at most `size` rows, the first of which is row `from`. */
export function windowOf<Row>(
  rows: readonly Row[],
  selected: number,
  size: number,
): { from: number; shown: readonly Row[] } {
  const from = windowStart(rows.length, selected, size)
  return { from, shown: rows.slice(from, from + size) }
}

/** The first of at most `size` visible rows around the selected one. */
export function windowStart(count: number, selected: number, size: number): number {
  return Math.max(0, Math.min(selected - Math.floor(size / 2), count - size))
}

/** The key hints of a list: those of every list after its own. */
export function listKeys(names: KeyNames, ...own: readonly string[]): Fact[] {
  const facts = own.map((text, index) => keyFact(text, 2 + index))
  return [
    ...facts,
    keyFact(keyed(names, '{picker.up} and {picker.down} choose'), 9),
    keyFact(keyed(names, '{picker.take} selects'), 1),
    keyFact(keyed(names, '{picker.close} cancels'), 0),
  ]
}

/** The number of rows that a filter left: `717 models`, or `3 of 717 models`. */
export function countOf(found: number, all: number, what: string): string {
  return found === all ? counted(all, what) : `${found} of ${counted(all, what)}`
}

export function keyFact(text: string, rank: number): Fact {
  return { text: oneLine(sanitize(text)), rank }
}

/** The line of key hints. On a narrow screen, whole hints are dropped. */
export function keysLine(keys: readonly Fact[], { theme, columns }: { theme: Theme; columns: number }): Styled {
  return indented(2, theme.dim(factsLine(keys, columns - 2)))
}

/** The number of rows of a list that fit above its key hints. */
export const rowsIn = (room: number): number => Math.max(1, Math.min(10, room - 1))

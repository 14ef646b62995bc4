import type { Styled } from './styled.ts'

/** A window of a list around the chosen row: at most `size` rows, the first of which is row `from`. */
export function windowOf<Row>(
  rows: readonly Row[],
  selected: number,
  size: number,
): { from: number; shown: readonly Row[] } {
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), rows.length - size))
  return { from, shown: rows.slice(from, from + size) }
}

/** The lines of a list below its title, and what its keys do. */
export type Rows = { lines: Styled[]; keys: string[] }

/** As many rows of a list as have room between its title and its keys. */
export const rowsIn = (room: number): number => Math.max(1, Math.min(10, room - 2))

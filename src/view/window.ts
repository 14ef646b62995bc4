/** A window of a list around the chosen row: at most `size` rows, the first of which is row `from`. */
export function windowOf<Row>(
  rows: readonly Row[],
  selected: number,
  size: number,
): { from: number; shown: readonly Row[] } {
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), rows.length - size))
  return { from, shown: rows.slice(from, from + size) }
}

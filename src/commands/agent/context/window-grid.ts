/** The context window as a grid: each sign is an equal share of it. */

/** The tokens of a kind, and its sign. */
export type GridShare = { sign: string; tokens: number }

const MOST_COLUMNS = 20
/** Signs of the whole grid. */
const CELLS = 200

/**
 * The rows, from the first share to the last; `free` fills the rest, and `last` is at the end. Every kind that is not
 * empty has at least one sign, if there are enough. The rows take at most `columns` of the screen.
 */
export function gridRows(
  shares: readonly GridShare[],
  free: string,
  last: GridShare,
  { window, columns }: { window: number; columns: number },
): string[] {
  const used = shares.flatMap(({ sign, tokens }) => repeated(sign, cellsOf(tokens, window))).slice(0, CELLS)
  // Used room covers reserved room.
  const kept = Math.min(cellsOf(last.tokens, window), CELLS - used.length)
  const all = [...used, ...repeated(free, CELLS - used.length - kept), ...repeated(last.sign, kept)]
  const each = Math.max(1, Math.min(MOST_COLUMNS, Math.floor((columns + 1) / 2)))
  return Array.from({ length: Math.ceil(CELLS / each) }, (_, row) => all.slice(row * each, (row + 1) * each).join(' '))
}

function repeated(sign: string, count: number): string[] {
  return Array.from({ length: count }, () => sign)
}

/** Tokens per sign. */
export function tokensOfCell(window: number): number {
  return window / CELLS
}

function cellsOf(tokens: number, window: number): number {
  if (tokens <= 0 || window <= 0) return 0
  return Math.min(CELLS, Math.max(1, Math.round((tokens / window) * CELLS)))
}

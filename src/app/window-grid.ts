/** The context window as a grid: each sign stands for an equal share of it. */

/** `tokens` of a kind, by its sign. */
export type Share = { sign: string; tokens: number }

export const GRID_COLUMNS = 20
export const GRID_ROWS = 10
const CELLS = GRID_COLUMNS * GRID_ROWS

/**
 * The rows, from the first share to the last; `free` fills what is left, and `last` stands at the end. What is there at all
 * has one sign at least, as far as there are so many.
 */
export function gridRows(shares: readonly Share[], free: string, last: Share, window: number): string[] {
  const used = shares.flatMap(({ sign, tokens }) => repeated(sign, cellsOf(tokens, window))).slice(0, CELLS)
  // What is used goes over what is kept for later.
  const kept = Math.min(cellsOf(last.tokens, window), CELLS - used.length)
  const all = [...used, ...repeated(free, CELLS - used.length - kept), ...repeated(last.sign, kept)]
  return Array.from({ length: GRID_ROWS }, (_, row) =>
    all.slice(row * GRID_COLUMNS, (row + 1) * GRID_COLUMNS).join(' '),
  )
}

function repeated(sign: string, count: number): string[] {
  return Array.from({ length: count }, () => sign)
}

/** Tokens that one sign stands for. */
export function tokensOfCell(window: number): number {
  return window / CELLS
}

function cellsOf(tokens: number, window: number): number {
  if (tokens <= 0 || window <= 0) return 0
  return Math.min(CELLS, Math.max(1, Math.round((tokens / window) * CELLS)))
}

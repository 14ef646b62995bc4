/** Scrolling, the same on every page. */
export type ScrollMove = 'up' | 'down' | 'page_up' | 'page_down' | 'half_up' | 'half_down' | 'top' | 'bottom'

/** The rows of one step of the mouse's wheel. */
export const WHEEL_ROWS = 3

/** The number of rows of each move in a window of `body` rows. */
export function scrollSteps(body: number): Record<ScrollMove, number> {
  const page = Math.max(1, body - 1)
  const half = Math.ceil(page / 2)
  const all = Number.MAX_SAFE_INTEGER
  return { up: -1, down: 1, page_up: -page, page_down: page, half_up: -half, half_down: half, top: -all, bottom: all }
}

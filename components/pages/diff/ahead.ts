/** Draws between two keys what the next ones are likely to show. */
import type { PaintedDiff } from './painted-diff.ts'
import type { DiffReading } from './reading.ts'

/** Draws some rows around the window, or the first ones of the next file. False if all of these are drawn. */
export function drawAhead({ window, body, files, selected, shown, paintedOf }: DiffReading): boolean {
  if (shown && window) {
    const { rows, top } = window
    const first = rows.below(top.row)
    const near = [first + body, first - 1, first + 2 * body, first - body, 0]
    if (near.some(row => draw(rows.painted, row))) return true
  }
  const others = shown ? [selected + 1, selected - 1] : [selected]
  return others.some(index => {
    const change = files[index]
    const painted = change && paintedOf(change)
    return painted ? [0, body].some(row => draw(painted, painted.firstChangeOf(0) + row)) : false
  })
}

/** True if a row had to be drawn. */
function draw(painted: PaintedDiff, row: number): boolean {
  const index = Math.max(0, Math.min(painted.rows.length - 1, row))
  // Headings are drawn each time; the row below one is not.
  const line = painted.rows[index]?.kind === 'head' ? index + 1 : index
  if (painted.isDrawn(line)) return false
  painted.linesOf(line)
  return true
}

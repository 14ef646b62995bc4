/** How the cursor moves in a file, and the window with it. A range does not leave its hunk. */
import { rangeOf, type DiffReading } from './reading.ts'
import type { DiffState } from './state.ts'
import { following, seenRows, settled, walk, type DiffRowPlace } from './window.ts'

/** A row down or up. A row that is higher than the window is shown to its end first. */
export function moved(reading: DiffReading, by: 1 | -1): DiffState {
  const { window, body } = reading
  if (!window) return reading.view
  const { rows, top, cursor } = window
  const height = rows.linesOf(cursor).length
  if (height > body) {
    const last = walk(rows, top, body - 1)
    const isMore = by > 0 ? last.row === cursor && last.line < height - 1 : top.row === cursor && top.line > 0
    if (isMore) return at(reading, cursor, walk(rows, top, by))
  }
  return toRow(reading, cursor + by)
}

/** To a row of the file, or the last one. */
export function toRow(reading: DiffReading, row: number): DiffState {
  return at(reading, row, null)
}

/** A number of lines of the screen down or up, with the window. */
export function paged(reading: DiffReading, by: number): DiffState {
  const { view, window, body } = reading
  if (!window) return view
  const { rows, top, cursor } = window
  return at(reading, walk(rows, { row: cursor, line: 0 }, by).row, settled(rows, walk(rows, top, by), body))
}

/** The window, with the cursor only as far as it would leave that. */
export function scrolled(reading: DiffReading, by: number): DiffState {
  const { view, window, body } = reading
  if (!window) return view
  const { rows, cursor } = window
  const top = settled(rows, walk(rows, window.top, by), body)
  const seen = seenRows(rows, top, body)
  const [first, last] = [seen[0]?.row ?? 0, seen.at(-1)?.row ?? 0]
  return at(reading, Math.max(first, Math.min(last, cursor)), top)
}

/** To the row at a line of the window. */
export function clicked(reading: DiffReading, y: number): DiffState {
  const { view, window, body } = reading
  const row = window && seenRows(window.rows, window.top, body)[y]?.row
  return row === null || row === undefined ? view : at(reading, row, null)
}

/** Begins a range, makes it longer or shorter, or ends it if `by` is 0 and there is one. */
export function selecting(reading: DiffReading, by: 1 | -1 | 0): DiffState {
  const { view, window } = reading
  if (!window || window.rows.row(window.cursor)?.kind !== 'line') return view
  if (view.anchor && by === 0) return { ...view, anchor: null }
  const anchor = view.anchor ?? window.rows.placeOf(window.cursor)
  const begun = { ...reading, view: { ...view, anchor }, window: { ...window, anchor: window.anchor ?? window.cursor } }
  return by === 0 ? begun.view : moved(begun, by)
}

/** The cursor at a row, and the window at `top` or where it is, moved only as far as the row needs. */
function at({ view, window, body }: DiffReading, row: number, top: DiffRowPlace | null): DiffState {
  if (!window) return view
  const { rows, anchor } = window
  const within = Math.max(0, Math.min(rows.length - 1, row))
  const to = anchor === null ? within : inHunk(window.cursor, within)
  const shown = following(rows, top ?? window.top, to, body)
  return { ...view, cursor: rows.placeOf(to), top: rows.placeOf(shown.row, shown.line) }

  /** The row nearest to `target` that is a line of the same hunk. */
  function inHunk(from: number, target: number): number {
    const by = target > from ? 1 : -1
    let reached = from
    for (let next = from; next !== target;) {
      next += by
      const { kind, hunk } = rows.row(next) ?? {}
      if (kind === 'head' || hunk !== window?.hunk) break
      if (kind === 'line') reached = next
    }
    return reached
  }
}

/** The number of rows in the range. */
export function rangeLength({ window }: DiffReading): number {
  if (!window || window.anchor === null) return 0
  const { first, last } = rangeOf(window)
  return last - first + 1
}

/**
 * What keys and the mouse do in /diff. Nothing here changes a file. A feature of the page with moves of its own, such as its comments, has
 * them in a file beside, and is asked first.
 */
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps, WHEEL_ROWS } from '../scroll.ts'
import { commentsAfter } from './comments.ts'
import { clicked, moved, paged, scrolled, selecting as selectingLines, toRow } from './cursor.ts'
import { afterInList } from './list-moves.ts'
import { isSplitAt, type DiffReading } from './reading.ts'
import type { FeatureAfter } from './feature.ts'
import { afterSearching } from './searching.ts'
import { startOfHunk, type DiffMove, type DiffState } from './state.ts'

const features: readonly FeatureAfter[] = [commentsAfter, afterSearching, afterInList]

/** The next state; null closes the page. */
export function diffAfter(reading: DiffReading, input: PageInput<DiffMove>): DiffState | null {
  for (const after of features) {
    const state = after(reading, input)
    if (state) return state
  }
  const { view, shown } = reading
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'wheel':
      if (view.help !== null) return afterMove(reading, input.by > 0 ? 'down' : 'up')
      return shown ? scrolled(reading, input.by * WHEEL_ROWS) : view
    case 'click':
      return shown && view.help === null ? clicked(reading, input.y - 1) : view
    case 'text':
      return view
  }
}

/** Esc: out of the list of keys, then out of the range, then out of the file, then out of the page. */
function left({ view, shown }: DiffReading): DiffState | null {
  if (view.help !== null) return { ...view, help: null }
  if (shown && view.anchor) return { ...view, anchor: null }
  return shown ? { ...view, file: null } : null
}

function afterMove(reading: DiffReading, move: DiffMove): DiffState | null {
  const { view, shown } = reading
  if (move === 'leave') return left(reading)
  if (view.help !== null) return { ...view, help: keyListAfter(reading, view.help, move) }
  if (move === 'help') return { ...view, help: 0 }
  if (move === 'layout') return { ...view, isSplit: !isSplitAt(reading) }
  if (move === 'wrap') return { ...view, isWrapped: !view.isWrapped }
  return shown ? inFile(reading, move) : view
}

/** Shows a file from its first hunk; without such a file nothing changes. */
function showing(reading: DiffReading, index: number, hunk = 0): DiffState {
  const file = reading.files[index]?.file
  if (file === undefined) return reading.view
  const { view } = reading
  return { ...view, selected: { index, file }, tree: { ...view.tree, folder: null }, file, ...startOfHunk(hunk) }
}

function inFile(reading: DiffReading, given: DiffMove): DiffState {
  const move = MEANS[given] ?? given
  const { view, window, selected, body } = reading
  const hunk = window?.hunk ?? 0
  const hunks = window?.rows.hunks ?? 0
  if (move === 'up' || move === 'down') return moved(reading, move === 'up' ? -1 : 1)
  if (move === 'top') return toRow(reading, 0)
  if (move === 'bottom') return toRow(reading, LAST)
  if (move === 'range') return selectingLines(reading, 0)
  if (move === 'select_up' || move === 'select_down') return selectingLines(reading, move === 'select_up' ? -1 : 1)
  const steps: Partial<Record<DiffMove, number>> = scrollSteps(body)
  const by = steps[move === 'show' || move === 'into' ? 'page_down' : move]
  if (by !== undefined) return paged(reading, by)
  if (move === 'list' || move === 'erase') return { ...view, file: null, anchor: null }
  if (move === 'next_hunk' && hunk + 1 < hunks) return { ...view, ...startOfHunk(hunk + 1) }
  if (move === 'previous_hunk' && hunk > 0) return { ...view, ...startOfHunk(hunk - 1) }
  if (move === 'next_file' || move === 'next_hunk') return showing(reading, selected + 1)
  if (move === 'previous_file') return showing(reading, selected - 1)
  return move === 'previous_hunk' ? showing(reading, selected - 1, LAST) : view
}

/** Without a search these go by changes. */
const MEANS: Partial<Record<DiffMove, DiffMove>> = { next: 'next_hunk', previous: 'previous_hunk' }

/** The last hunk of a file that may not have been read yet, or the last row. */
const LAST = Number.MAX_SAFE_INTEGER

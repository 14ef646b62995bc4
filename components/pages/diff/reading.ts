/** The effect of the keys of /diff on its state. Nothing here changes a file. */
import {
  changedFiles,
  selectedChange,
  shownChange,
  startOfHunk,
  type Changes,
  type DiffMove,
  type DiffView,
} from '../../../src/state/screens/diff-screen.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { helpAfter, scrollSteps } from '../transcript/rows.ts'
import type { PageContext } from '../page.ts'
import { MARGIN } from '../transcript/reading.ts'
import { DiffRows } from './diff-rows.ts'
import { diffPlaceOf, lastTop, lineIn, rowPlaceOf, seenRows, settled, walk, type DiffRowPlace } from './window.ts'

/** The least width for a view side by side. */
const SPLIT_FROM = 110
const WHEEL_ROWS = 3

/** The rows of the file that is shown, and the window in them. */
type ShownRows = { rows: DiffRows; top: DiffRowPlace; hunk: number }

/** /diff for a state and a size. */
export type DiffReading = {
  view: DiffView
  changes: Changes
  files: readonly FileChange[]
  /** The index of the selected file. */
  selected: number
  /** The file that is shown; null in the list. */
  shown: FileChange | null
  /** Its diff; null while it is loading. */
  diff: FileDiff | null
  window: ShownRows | null
  /** Rows between the title and the line at the bottom. */
  body: number
  context: PageContext
}

const noChanges: Changes = { list: { session: [], before: [], unsure: 0, notes: [] }, isAsking: true, diffs: new Map() }

/** Makes the rows of a diff; the same ones while nothing changes. */
export type MakeRows = (diff: FileDiff, path: string, look: ConstructorParameters<typeof DiffRows>[2]) => DiffRows

export function createDiffRows(): MakeRows {
  let last: { of: readonly unknown[]; rows: DiffRows } | null = null
  return (diff, path, look) => {
    const of = [diff, path, look.theme, look.width, look.isSplit, look.isWrapped]
    if (!last || of.some((each, index) => each !== last?.of[index])) last = { of, rows: new DiffRows(diff, path, look) }
    return last.rows
  }
}

export function readDiff(state: AppState, context: PageContext, makeRows: MakeRows): DiffReading {
  const { diff: view, changes } = state
  const { theme, size } = context
  const body = Math.max(1, size.rows - 2)
  const shown = shownChange(state)
  const diff = (shown && changes?.diffs.get(shown.file)) ?? null
  const reading = { view, changes: changes ?? noChanges, files: changedFiles(state), selected: selectedChange(state) }
  return { ...reading, shown, diff, body, context, window: shown && diff && windowOf(shown, diff, theme) }

  function windowOf({ kind, path }: FileChange, of: FileDiff, theme: Theme): ShownRows {
    // One side of a new or deleted file is empty.
    const hasBoth = kind === 'changed' || kind === 'renamed'
    const isSplit = view.isSplit ?? (hasBoth && size.columns >= SPLIT_FROM)
    const width = Math.max(1, size.columns - MARGIN)
    const rows = makeRows(of, path, { theme, width, isSplit, isWrapped: view.isWrapped })
    return { rows, top: rowPlaceOf(rows, view.top, body), hunk: Math.max(0, Math.min(view.hunk, rows.hunks - 1)) }
  }
}

/** The visible line of the file that is shown. */
export function shownLine({ window, body }: DiffReading): number | null {
  return window && lineIn(seenRows(window.rows, window.top, body), window.hunk)
}

/** The view after a move. */
export function diffAfter(reading: DiffReading, move: DiffMove): DiffView {
  const { view, shown, context } = reading
  if (view.help !== null) return { ...view, help: helpAfter(reading, view.help, move) }
  if (move === 'help') return { ...view, help: 0 }
  if (move === 'layout') return { ...view, isSplit: !(view.isSplit ?? context.size.columns >= SPLIT_FROM) }
  if (move === 'wrap') return { ...view, isWrapped: !view.isWrapped }
  return shown ? inFile(reading, move) : inList(reading, move)
}

export function diffAfterWheel(reading: DiffReading, by: 1 | -1): DiffView {
  const { view, shown, selected } = reading
  if (view.help !== null) return diffAfter(reading, by > 0 ? 'down' : 'up')
  return shown ? scrolled(reading, by * WHEEL_ROWS) : selecting(reading, selected + by)
}

/** The view after a click on a row of the list, which selects it; a second click shows it. */
export function diffAfterClick(reading: DiffReading, index: number): DiffView {
  return index === reading.selected ? showing(reading, index) : selecting(reading, index)
}

function inList(reading: DiffReading, move: DiffMove): DiffView {
  const { view, selected, body } = reading
  const steps: Partial<Record<DiffMove, number>> = {
    ...scrollSteps(body),
    previous_hunk: -1,
    previous_file: -1,
    next_hunk: 1,
    next_file: 1,
  }
  const by = steps[move]
  if (by !== undefined) return selecting(reading, selected + by)
  return move === 'show' ? showing(reading, selected) : view
}

function selecting({ view, files }: DiffReading, wanted: number): DiffView {
  const index = Math.max(0, Math.min(files.length - 1, wanted))
  return { ...view, selected: { index, file: files[index]?.file ?? null } }
}

/** Shows a file from its first hunk; without such a file nothing changes. */
function showing(reading: DiffReading, index: number, hunk = 0): DiffView {
  const file = reading.files[index]?.file
  return file === undefined ? reading.view : { ...selecting(reading, index), file, ...startOfHunk(hunk) }
}

function inFile(reading: DiffReading, move: DiffMove): DiffView {
  const { view, window, selected, body } = reading
  const hunk = window?.hunk ?? 0
  const hunks = window?.rows.hunks ?? 0
  if (move === 'top') return { ...view, ...startOfHunk(0) }
  if (move === 'bottom' && window)
    return { ...view, hunk: LAST, top: diffPlaceOf(window.rows, lastTop(window.rows, body)) }
  const steps: Partial<Record<DiffMove, number>> = scrollSteps(body)
  const by = steps[move === 'show' ? 'page_down' : move]
  if (by !== undefined) return scrolled(reading, by)
  if (move === 'leave' || move === 'list') return { ...view, file: null }
  if (move === 'next_hunk' && hunk + 1 < hunks) return { ...view, ...startOfHunk(hunk + 1) }
  if (move === 'previous_hunk' && hunk > 0) return { ...view, ...startOfHunk(hunk - 1) }
  if (move === 'next_file' || move === 'next_hunk') return showing(reading, selected + 1)
  if (move === 'previous_file') return showing(reading, selected - 1)
  return move === 'previous_hunk' ? showing(reading, selected - 1, LAST) : view
}

/** The last hunk of a file that may not have been read yet. */
const LAST = Number.MAX_SAFE_INTEGER

function scrolled({ view, window, body }: DiffReading, by: number): DiffView {
  if (!window) return view
  const { rows, hunk } = window
  const top = settled(rows, walk(rows, window.top, by), body)
  const seen = seenRows(rows, top, body).map(({ row }) => row.hunk)
  const [first, last] = [seen[0] ?? 0, seen.at(-1) ?? 0]
  const isSeen = hunk >= first && hunk <= last
  return { ...view, top: diffPlaceOf(rows, top), hunk: isSeen ? hunk : by > 0 ? first : last }
}

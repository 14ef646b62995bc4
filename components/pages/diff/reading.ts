/** /diff for a state and a size. */
import type { AppState } from '../../../src/state/state.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import { DiffRows, type DiffLook } from './diff-rows.ts'
import { changedFiles, selectedChange, shownChange, type Changes, type DiffState } from './state.ts'
import { lineIn, rowPlaceOf, seenRows, type DiffRowPlace } from './window.ts'

/** Columns of the mark at the current change, including its blank. */
export const MARGIN = 2

/** The least width for a view side by side. */
const SPLIT_FROM = 110

/** The rows of the file that is shown, and the window in them. */
type ShownRows = { rows: DiffRows; top: DiffRowPlace; hunk: number }

export type DiffReading = {
  app: AppState
  view: DiffState
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

/** Makes the rows of a diff; the same ones while nothing changes. */
type MakeRows = (diff: FileDiff, path: string, look: DiffLook) => DiffRows

function createDiffRows(): MakeRows {
  let last: { of: readonly unknown[]; rows: DiffRows } | null = null
  return (diff, path, look) => {
    const of = [diff, path, look.theme, look.width, look.isSplit, look.isWrapped]
    if (!last || of.some((each, index) => each !== last?.of[index])) last = { of, rows: new DiffRows(diff, path, look) }
    return last.rows
  }
}

export function createDiffReader(): PageReader<DiffState, DiffReading> {
  const makeRows = createDiffRows()
  return (view, app, context) => {
    const { theme, size } = context
    const body = Math.max(1, size.rows - 2)
    const shown = shownChange(view)
    const diff = (shown && view.changes.diffs.get(shown.file)) ?? null
    const reading = { app, view, changes: view.changes, files: changedFiles(view), selected: selectedChange(view) }
    return { ...reading, shown, diff, body, context, window: shown && diff && windowOf(shown, diff, theme) }

    function windowOf({ kind, path }: FileChange, of: FileDiff, painted: Theme): ShownRows {
      // One side of a new or deleted file is empty.
      const hasBoth = kind === 'changed' || kind === 'renamed'
      const isSplit = view.isSplit ?? (hasBoth && size.columns >= SPLIT_FROM)
      const width = Math.max(1, size.columns - MARGIN)
      const rows = makeRows(of, path, { theme: painted, width, isSplit, isWrapped: view.isWrapped })
      return { rows, top: rowPlaceOf(rows, view.top, body), hunk: Math.max(0, Math.min(view.hunk, rows.hunks - 1)) }
    }
  }
}

/** Whether changed files are shown side by side. */
export function isSplitAt({ view, context }: DiffReading): boolean {
  return view.isSplit ?? context.size.columns >= SPLIT_FROM
}

/** The visible line of the file that is shown. */
export function shownLine({ window, body }: DiffReading): number | null {
  return window && lineIn(seenRows(window.rows, window.top, body), window.hunk)
}

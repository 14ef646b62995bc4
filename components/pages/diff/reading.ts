/** /diff for a state and a size. */
import type { AppState } from '../../../src/state/state.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { PageCaret, PageContext, PageReader } from '../page-rows.ts'
import { originText } from '../../../src/tools/diff/change-text.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import { placedComments, type PlacedComment } from './comment-places.ts'
import { commentLines, fieldBox } from './comment-rows.ts'
import { DiffRows, type DiffNote } from './diff-rows.ts'
import { inOrder, PaintedDiff, type DiffLook } from './painted-diff.ts'
import { listRows, selectedRow, type DiffListRow } from './list.ts'
import { DiffSearch, type SearchedText } from './search.ts'
import {
  chosenChange,
  FIELD,
  listedFiles,
  otherFiles,
  selectedChange,
  shownChange,
  type Changes,
  type CommentField,
  type DiffState,
} from './state.ts'
import { following, lineNear, rowPlaceOf, seenRows, type DiffRowPlace } from './window.ts'

/** Columns of the mark at the current change, including its blank. */
export const MARGIN = 2

/** The least width for a view side by side. */
const SPLIT_FROM = 110

/** The rows of the file that is shown, and the window in them. */
type ShownRows = {
  rows: DiffRows
  top: DiffRowPlace
  /** The current row, and the one at which its range begins. */
  cursor: number
  anchor: number | null
  /** The hunk of the current row. Rows above the first hunk count as the first one's. */
  hunk: number
}

export type DiffReading = {
  app: AppState
  view: DiffState
  changes: Changes
  files: readonly FileChange[]
  /** The index of the selected file. */
  selected: number
  /** The rows of the list, and the number of the selected one; -1 if there is none. */
  list: readonly DiffListRow[]
  listRow: number
  /** What is searched, to which the effects add what they load, and the matches of the open search. */
  texts: Map<string, SearchedText>
  found: DiffSearch | null
  /** The file that is shown; null in the list. */
  shown: FileChange | null
  /** Its diff; null while it is loading. */
  diff: FileDiff | null
  /** The rows of a file that is loaded. */
  paintedOf: (change: FileChange) => PaintedDiff | null
  window: ShownRows | null
  /** Rows between the title and the line at the bottom. */
  body: number
  context: PageContext
}

/** Returns what was made before if it is among the last `most` and was made of the same. */
function keeping<Of extends readonly unknown[], Made>(most: number, make: (...of: Of) => Made): (...of: Of) => Made {
  const last: { of: Of; made: Made }[] = []
  return (...of) => {
    const at = last.findIndex(kept => kept.of.every((each, index) => each === of[index]))
    const [found = { of, made: make(...of) }] = at < 0 ? [] : last.splice(at, 1)
    last.unshift(found)
    last.length = Math.min(most, last.length)
    return found.made
  }
}

type LookOfNotes = { theme: Theme; width: number; body: number }

/** The comments of a file as rows. The one that is being written is its text field. */
function notesOf(
  placed: readonly PlacedComment[],
  field: CommentField | null,
  painted: PaintedDiff,
  look: LookOfNotes,
): DiffNote[] {
  const written = field?.comment ?? null
  const notes = placed.flatMap(({ comment, below, fate }): DiffNote[] =>
    comment.id === written?.id
      ? []
      : [{ key: comment.id, below, comment, lines: once(() => commentLines(comment, fate, look)) }],
  )
  if (!field || !written) return notes
  const [{ below } = { below: -1 }] = placedComments(painted, [written])
  return [...notes, { key: FIELD, below, comment: written, lines: once(() => fieldBox(field, look, look.body).lines) }]
}

function once<Made>(make: () => Made): () => Made {
  let made: { as: Made } | null = null
  return () => (made ??= { as: make() }).as
}

/** The files whose drawn rows are kept: the one that is shown, and those beside it. */
const MOST_PAINTED = 4

export function createDiffReader(): PageReader<DiffState, DiffReading> {
  const texts = new Map<string, SearchedText>()
  const makeList = keeping(1, listRows)
  const searchFor = keeping(1, (query: string) => new DiffSearch(query))
  const paint = keeping(
    MOST_PAINTED,
    (of: FileDiff, shown: FileChange, list: Changes['list'], ...look: LookParts) =>
      new PaintedDiff(of, shown.path, lookOf(look), wordsInstead(of, shown, list)),
  )
  const placedIn = keeping(1, (painted: PaintedDiff, all: readonly ReviewComment[], path: string) =>
    placedComments(
      painted,
      all.filter(each => each.path === path),
    ),
  )
  const rowsOf = keeping(
    1,
    (
      painted: PaintedDiff,
      placed: readonly PlacedComment[],
      field: CommentField | null,
      ...[theme, width, body]: [Theme, number, number]
    ) => new DiffRows(painted, notesOf(placed, field, painted, { theme, width, body })),
  )
  return (view, app, context) => {
    const { theme, size } = context
    const body = Math.max(1, size.rows - 2)
    const shown = shownChange(view)
    const diff = (shown && view.changes.diffs.get(shown.file)) ?? null
    const { changes, tree, search } = view
    const files = listedFiles(view)
    const selected = selectedChange(view)
    const width = Math.max(1, size.columns - MARGIN - 1)
    const others = otherFiles(view)
    const { ellipsis } = theme.signs
    const list = makeList(changes.list, others, changes.isAsking, tree.isShown, tree.closed, width, ellipsis)
    return {
      app,
      view,
      changes,
      files,
      selected,
      list,
      listRow: selectedRow(list, tree, files[selected]),
      texts,
      found: search && searchFor(search.query),
      shown,
      diff,
      paintedOf: change => {
        const loaded = changes.diffs.get(change.file) ?? texts.get(change.file)?.diff
        return loaded ? paintedOf(change, loaded) : null
      },
      window: shown && diff && windowOf(shown, diff),
      body,
      context,
    }

    function paintedOf(change: FileChange, of: FileDiff): PaintedDiff {
      // One side of a new or deleted file is empty.
      const hasBoth = change.kind === 'changed' || change.kind === 'renamed'
      const isSplit = view.isSplit ?? (hasBoth && size.columns >= SPLIT_FROM)
      return paint(of, change, changes.list, theme, Math.max(1, size.columns - MARGIN), isSplit, view.isWrapped)
    }

    function windowOf(change: FileChange, of: FileDiff): ShownRows {
      const lines = paintedOf(change, of)
      const placed = placedIn(lines, view.comments, change.path)
      const rows = rowsOf(lines, placed, view.field, theme, Math.max(1, size.columns - MARGIN), body)
      const cursor = rows.find(view.field ? { ...view.cursor, note: FIELD } : view.cursor).row
      return {
        rows,
        top: following(rows, rowPlaceOf(rows, view.top), cursor, body),
        cursor,
        anchor: view.anchor && rows.find(view.anchor).row,
        hunk: rows.row(cursor)?.hunk ?? 0,
      }
    }
  }
}

type LookParts = [theme: Theme, width: number, isSplit: boolean, isWrapped: boolean]

function lookOf([theme, width, isSplit, isWrapped]: LookParts): DiffLook {
  return { theme, width, isSplit, isWrapped }
}

/** What stands in place of lines. */
function wordsInstead({ hunks, notes }: FileDiff, shown: FileChange, list: Changes['list']): string[] {
  return hunks.length > 0 ? [] : [...(notes.length > 0 ? notes : ['No lines differ.']), originText(shown, list)]
}

/** Whether changed files are shown side by side. */
export function isSplitAt({ view, context }: DiffReading): boolean {
  return view.isSplit ?? context.size.columns >= SPLIT_FROM
}

/** The line of the file at the cursor, or the nearest one in its hunk. */
export function shownLine({ window }: DiffReading): number | null {
  return window && lineNear(window.rows, window.cursor)
}

/** The rows of the range, or the one under the cursor: the first and the last. */
export function rangeOf({ cursor, anchor }: Pick<ShownRows, 'cursor' | 'anchor'>): { first: number; last: number } {
  const other = anchor ?? cursor
  return { first: Math.min(cursor, other), last: Math.max(cursor, other) }
}

/** What the keys that do something are about. */
export type CursorTarget = {
  change: FileChange
  /** Null in the list, and above the first hunk. */
  hunk: number | null
  /** Those of the range, or the one under the cursor, in the order of one column; none at a heading and in the list. */
  lines: readonly DiffLine[]
  /** True if the user has begun a range. */
  isRange: boolean
  /** The one that the cursor is on. */
  comment: ReviewComment | null
}

/** What the cursor is on; in the list, the selected file. */
export function cursorTarget({ view, shown, window }: DiffReading): CursorTarget | null {
  const change = chosenChange(view)
  if (!change) return null
  if (!shown || !window) return { change, hunk: null, lines: [], isRange: false, comment: null }
  const { rows, cursor, anchor } = window
  const { first, last } = rangeOf(window)
  const range = Array.from({ length: last - first + 1 }, (_, at) => rows.row(first + at)).filter(
    row => row?.kind === 'line',
  )
  const lines = inOrder(range.flatMap(row => row ?? []))
  const row = rows.row(cursor)
  return { change, hunk: row?.hunk ?? null, lines, isRange: anchor !== null, comment: row?.note?.comment ?? null }
}

/** The caret in the text field of a comment. */
export function fieldCaret({ view, window, body, context }: DiffReading): PageCaret | null {
  if (!view.field || !window) return null
  const seen = seenRows(window.rows, window.top, body)
  const first = seen.findIndex(({ row }) => row === window.cursor)
  const hidden = window.top.row === window.cursor ? window.top.line : 0
  const look = { theme: context.theme, width: Math.max(1, context.size.columns - MARGIN) }
  const { caret } = fieldBox(view.field, look, body)
  // The title stands above the first row.
  return first < 0 || caret.y < hidden ? null : { x: caret.x, y: 1 + first + caret.y - hidden }
}

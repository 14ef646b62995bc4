/** The state of /diff, its moves, and its screen as the program uses it. */
import type { ChangeList, FileChange, FileDiff } from '../../tools/diff/change.ts'
import type { DiffLine } from '../../text/diff-line.ts'
import type { ScrollMove } from './scroll-move.ts'

/** The moves in /diff. */
export type DiffMove =
  | ScrollMove
  | 'show'
  | 'list'
  | 'next_hunk'
  | 'previous_hunk'
  | 'next_file'
  | 'previous_file'
  | 'layout'
  | 'wrap'
  | 'help'
  | 'leave'

/** The commands for the selected file or change. */
export type DiffWork = 'edit' | 'copy' | 'reload'

/** An action of the keys of /diff. */
export type DiffAction = { do: 'diff'; how: DiffMove | DiffWork }

/** A place in the difference of a file, however it is drawn. */
export type DiffPlace = {
  hunk: number
  /** Null for the heading of the hunk. */
  line: DiffLine | null
  /** The number of the row in a wrapped line. */
  row: number
}

/** The view of /diff. Numbers that are too high mean the last one. */
export type DiffView = {
  /** The absolute path of the file that is shown; null in the list. */
  file: string | null
  /** The selected row of the list; its file is null until the user selects one. */
  selected: { index: number; file: string | null }
  /** The first visible row of the file, and its current hunk. */
  top: DiffPlace
  hunk: number
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
  /** Null if the width of the terminal decides. */
  isSplit: boolean | null
  isWrapped: boolean
}

/** The place where hunk number `hunk` begins. */
export function startOfHunk(hunk: number): Pick<DiffView, 'top' | 'hunk'> {
  return { top: { hunk, line: null, row: 0 }, hunk }
}

const atList = { file: null, selected: { index: 0, file: null }, ...startOfHunk(0), help: null }

export const initialDiff: DiffView = { ...atList, isSplit: null, isWrapped: false }

/** The view when /diff opens. The layout stays as it was. */
export function openedDiff(view: DiffView): DiffView {
  return { ...view, ...atList }
}

type DiffState = { diff: DiffView; changes: Changes | null }

export function changedFiles({ changes }: Pick<DiffState, 'changes'>): readonly FileChange[] {
  return changes ? [...changes.list.session, ...changes.list.before] : []
}

/** The file that is shown, whose lines are needed; null in the list. */
export function shownChange(state: DiffState): FileChange | null {
  return changedFiles(state).find(({ file }) => file === state.diff.file) ?? null
}

/** The index of the selected file. It stays selected when files are added. */
export function selectedChange(state: DiffState): number {
  const files = changedFiles(state)
  const { index, file } = state.diff.selected
  const at = file === null ? 0 : files.findIndex(each => each.file === file)
  return Math.max(0, at < 0 ? Math.min(index, files.length - 1) : at)
}

/** The file that is shown or selected. */
export function chosenChange(state: DiffState): FileChange | null {
  return shownChange(state) ?? changedFiles(state)[selectedChange(state)] ?? null
}

export type DiffScreen = {
  open: () => void
  close: () => void
  perform: (move: DiffMove) => void
  /** The visible line of the file that is shown, counted from 1. */
  line: () => number | null
}

/** The changes found so far, and the lines of the files that were shown. */
export type Changes = {
  list: ChangeList
  /** True while git is being asked: more changes may come. */
  isAsking: boolean
  /** The lines of the files, by their absolute paths. */
  diffs: ReadonlyMap<string, FileDiff>
}

/** What /diff remembers while it is open. */
import type { ChangeList, FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import type { Editor } from '../../../src/composer/editor.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { ScrollMove } from '../scroll.ts'
import { commentedFiles } from './commented-files.ts'
import type { SearchPlace } from './search.ts'

export type DiffMove =
  | ScrollMove
  | 'show'
  | 'into'
  | 'list'
  | 'tree'
  | 'search'
  | 'erase'
  | 'next'
  | 'previous'
  | 'next_hunk'
  | 'previous_hunk'
  | 'next_file'
  | 'previous_file'
  | 'comment'
  | 'next_comment'
  | 'previous_comment'
  | 'row_up'
  | 'row_down'
  | 'delete_right'
  | 'range'
  | 'select_up'
  | 'select_down'
  | 'layout'
  | 'wrap'
  | 'help'
  | 'leave'

/** The actions that do more than move. */
export type DiffWork =
  | 'edit'
  | 'copy'
  | 'reload'
  | 'undo'
  | 'seen'
  | 'revert'
  | 'revert_line'
  | 'stage'
  | 'unstage'
  | 'send'
  | FieldWork

/** Those of the text field of a comment. */
export type FieldWork = 'keep' | 'close' | 'edit_outside'

/** A place in the difference of a file, however it is drawn. */
export type DiffPlace = {
  /** Null for what stands above the first hunk. */
  hunk: number | null
  /** Null for the heading of the hunk; `change` for its first changed line. */
  line: DiffLine | 'change' | null
  /** The key of a note below the line, such as a comment; null for the line itself. */
  note: string | null
  /** The number of the row in a wrapped line. */
  row: number
}

/** Numbers that are too high mean the last one. */
export type DiffState = {
  changes: Changes
  /** The absolute path of the file that is shown; null in the list. */
  file: string | null
  /** The selected row of the list; its file is null until the user selects one. */
  selected: { index: number; file: string | null }
  /** The first visible row of the file. The window follows the cursor from there. */
  top: DiffPlace
  /** The current row, and with it the current hunk. */
  cursor: DiffPlace
  /** Where a range begins that the cursor ends; null without one. */
  anchor: DiffPlace | null
  /** The comments on what is compared, the oldest first. */
  /** Whether a change can be taken into the own folder: what is shown is of a worktree. */
  canTake: boolean
  comments: readonly ReviewComment[]
  /** The user's folder, to which the paths of comments are relative. */
  folder: string
  /** The text field of a comment; null if it is not open. */
  field: CommentField | null
  tree: TreeState
  search: SearchState | null
  /** The digests by which files count as read, by their paths. */
  reads: ReadonlyMap<string, string>
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
  /** Null if the width of the terminal decides. */
  isSplit: boolean | null
  isWrapped: boolean
}

/** A comment that is being written, or changed. */
export type CommentField = {
  /** As it was kept last. A new one has no id before its words are kept somewhere. */
  comment: ReviewComment
  editor: Editor
  /** Whether it was opened in the list, which then is shown again. */
  isFromList: boolean
}

/** The key of the text field among the notes of a file. */
export const FIELD = 'field'
/** The search in the paths and lines of all files. */
export type SearchState = {
  query: string
  /** True while the text field has the keys. */
  isTyping: boolean
  /** The match that is shown. */
  shown: SearchPlace | null
  /** The direction and the start of the search for the next match, until it is found. */
  seeking: { by: 1 | -1; from: SearchPlace } | null
}

/** The list as a tree of folders. */
export type TreeState = {
  isShown: boolean
  /** The keys of the folders that are closed. */
  closed: ReadonlySet<string>
  /** The key of the selected folder; null if a file is selected. */
  folder: string | null
}

/** The changes found so far, and the lines of the files that were shown. */
export type Changes = {
  list: ChangeList
  /** True while git is being asked: more changes may come. */
  isAsking: boolean
  /** True once git has answered: then files that are not listed have no changes. */
  areWhole?: boolean
  /** The lines of the files, by their absolute paths. */
  diffs: ReadonlyMap<string, FileDiff>
  /** The digest of what was loaded last of each file, by its absolute path. */
  digests: ReadonlyMap<string, string>
}

const noChanges: ChangeList = { session: [], before: [], unsure: 0, notes: [] }

/** The window at the beginning of hunk number `hunk`, with the cursor on its first change. */
export function startOfHunk(hunk: number): Pick<DiffState, 'top' | 'cursor' | 'anchor'> {
  return {
    top: { hunk, line: null, note: null, row: 0 },
    cursor: { hunk, line: 'change', note: null, row: 0 },
    anchor: null,
  }
}

export type DiffLayout = Pick<DiffState, 'isSplit' | 'isWrapped' | 'tree'>

const noTree: TreeState = { isShown: false, closed: new Set(), folder: null }

/** The layout stays as it was the last time. */
export function initialDiff(
  { isSplit = null, isWrapped = false, tree = noTree }: Partial<DiffLayout> = {},
  title?: string,
): DiffState {
  return {
    changes: { list: titled(noChanges, title), isAsking: true, diffs: new Map(), digests: new Map() },
    file: null,
    selected: { index: 0, file: null },
    ...startOfHunk(0),
    canTake: false,
    comments: [],
    folder: '',
    field: null,
    tree: { ...tree, folder: null },
    search: null,
    reads: new Map(),
    help: null,
    isSplit,
    isWrapped,
  }
}

/** The list of a subject with this title. */
export function titled(list: ChangeList, title: string | undefined): ChangeList {
  return title === undefined ? list : { ...list, title }
}

type ListState = Pick<DiffState, 'changes' | 'comments' | 'field' | 'folder'>

/** The files in the order of the list. */
export function listedFiles(state: ListState): readonly FileChange[] {
  const { session, before } = state.changes.list
  return [...session, ...before, ...otherFiles(state)]
}

/** The files that have comments, and no changes. */
export function otherFiles({ changes, comments, field, folder }: ListState): readonly FileChange[] {
  const { list, isAsking, areWhole = !isAsking } = changes
  return areWhole ? commentedFiles({ list, comments, field, folder }) : none
}

const none: readonly FileChange[] = []

/** The file that is shown, whose lines are needed; null in the list. */
export function shownChange(state: DiffState): FileChange | null {
  return listedFiles(state).find(({ file }) => file === state.file) ?? null
}

/** The index of the selected file. It stays selected when files are added. */
export function selectedChange(state: DiffState): number {
  const files = listedFiles(state)
  const { index, file } = state.selected
  const at = file === null ? 0 : files.findIndex(each => each.file === file)
  return Math.max(0, at < 0 ? Math.min(index, files.length - 1) : at)
}

/** The file that is shown or selected; null if a folder is. */
export function chosenChange(state: DiffState): FileChange | null {
  const shown = shownChange(state)
  if (shown || (state.tree.isShown && state.tree.folder !== null)) return shown
  return listedFiles(state)[selectedChange(state)] ?? null
}

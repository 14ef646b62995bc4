/** The state of the transcript viewer, its moves, and its screen as the program uses it. */
import type { Entry } from '../../conversation/state.ts'
import type { ScrollMove } from './scroll-move.ts'

/** The moves in the viewer. */
export type ViewerMove =
  | ScrollMove
  | 'next_block'
  | 'previous_block'
  | 'next_prompt'
  | 'previous_prompt'
  | 'toggle'
  | 'toggle_all'
  | 'search'
  | 'next_match'
  | 'previous_match'
  | 'turns'
  | 'erase'
  | 'help'
  | 'leave'
  | 'close'

/** The commands for the selected block. */
export type ViewerWork = 'copy' | 'copy_answer' | 'dump' | 'edit' | 'edit_file' | 'export'

export type ViewerSource = { text: string; what: string; extension: string }

/** A place in the conversation: an entry, a block of it and a row of that, all counted from 0. */
export type DocumentPlace = { section: number; block: number; row: number }

/** The overlay that receives the keys instead of the conversation. */
export type ViewerOverlay =
  | { kind: 'typing'; query: string }
  | { kind: 'turns'; filter: string; selected: number }
  | { kind: 'help'; from: number }

/** The search in the viewer. */
export type ViewerSearch = {
  query: string
  /** The section that is searched first. */
  from: number
  /** The match that is shown. */
  shown: DocumentPlace | null
  /** The direction and the start of the search for the next match, until it is found. */
  seeking: { by: 1 | -1; from: DocumentPlace } | null
}

/** The groups of blocks that the user opened or closed, by their keys, and whether all others are open. */
export type Folds = { isAllOpen: boolean; changed: ReadonlyMap<string, boolean> }

export const noFolds: Folds = { isAllOpen: false, changed: new Map() }

/** The part of the conversation that the viewer shows. */
export type ViewerView = {
  /** The first visible row, and the first row of the selected block. */
  top: DocumentPlace
  chosen: DocumentPlace
  /** True if the view follows the growing end. */
  follows: boolean
  /** The last entry when the end was last visible. */
  seenEnd: Entry | null
  overlay: ViewerOverlay | null
  search: ViewerSearch | null
  folds: Folds
  /** The number of agents that had ended when the viewer was opened. */
  endedBefore: number
}

const start: DocumentPlace = { section: 0, block: 0, row: 0 }

export const initialViewer: ViewerView = {
  top: start,
  chosen: start,
  follows: true,
  seenEnd: null,
  overlay: null,
  search: null,
  folds: noFolds,
  endedBefore: 0,
}

/** The viewer on its screen. */
export type Viewer = {
  open: () => void
  close: () => void
  perform: (move: ViewerMove) => void
  /** Takes typed text if a text field is open; otherwise returns false. */
  type: (text: string) => boolean
  /** The source of the selected block, the whole answer of its turn, and the file that it is about. */
  source: () => ViewerSource | null
  answer: () => ViewerSource | null
  file: () => { path: string; line: number | null } | null
  /** Prints a text into the scrollback as it is. */
  print: (text: string) => void
}

/** An action of the viewer's keys. */
export type ViewerAction = { do: 'viewer'; how: ViewerMove | ViewerWork }

/** A named part of the conversation: a turn, a block of a turn, or a matching line. */
export type Passage = {
  section: number
  block: number
  label: string
  detail: string
}

/** The current conversation in passages. */
export type ReadableConversation = {
  /** Oldest first. */
  turns: () => Passage[]
  /** The blocks of a turn: its prompt, its texts, its code, its tool calls. */
  blocks: (turn: Passage) => Passage[]
  /** The whole text of a block, read from the session file if memory does not hold it. */
  text: (block: Passage) => string
  source: (block: Passage) => ViewerSource | null
  /** The lines that contain a text, with their context; oldest first. */
  search: (query: string) => Passage[]
}

/** What the transcript remembers while it is open. */
import type { Entry } from '../../../src/conversation/state.ts'
import type { ScrollMove } from '../scroll.ts'
import type { Arrival, ShownSession } from './session.ts'

export type TranscriptMove =
  | ScrollMove
  | 'next_block'
  | 'previous_block'
  | 'next_prompt'
  | 'previous_prompt'
  | 'toggle'
  | 'toggle_all'
  | 'search'
  | 'mark'
  | 'next_match'
  | 'previous_match'
  | 'turns'
  | 'erase'
  | 'help'
  | 'leave'
  | 'close'

/** The actions that do more than move. */
export type TranscriptWork = 'copy' | 'copy_answer' | 'raw' | 'dump' | 'edit' | 'edit_file' | 'export'

/** A place in the conversation: an entry, a block of it and a row of that, all counted from 0. */
export type DocumentPlace = { section: number; block: number; row: number }

/** The overlay that receives the keys instead of the conversation. */
export type TranscriptOverlay =
  | { kind: 'typing'; query: string }
  | { kind: 'turns'; filter: string; selected: number }
  | { kind: 'marking'; word: string }
  | { kind: 'help'; from: number }

export type TranscriptSearch = {
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

export type TranscriptState = {
  /** The first visible row, and the first row of the selected block. */
  top: DocumentPlace
  chosen: DocumentPlace
  /** True if the view follows the growing end. */
  follows: boolean
  /** The last entry when the end was last visible. */
  seenEnd: Entry | null
  overlay: TranscriptOverlay | null
  search: TranscriptSearch | null
  folds: Folds
  /** The conversation whose blocks the folds name: see `AppState.restored`. */
  restored: number
  /** The number of agents that had ended when the page was opened. */
  endedBefore: number
  /** The stored session that is shown; null for the conversation, or a part of it. */
  session: ShownSession | null
  /** The place at which it opens, until that is shown. */
  arrival: Arrival | null
  /** The words for a mark at the chosen block, until that is kept. */
  marking: string | null
}

const start: DocumentPlace = { section: 0, block: 0, row: 0 }

export const initialTranscript: TranscriptState = {
  top: start,
  chosen: start,
  follows: true,
  seenEnd: null,
  overlay: null,
  search: null,
  folds: noFolds,
  restored: 0,
  endedBefore: 0,
  session: null,
  arrival: null,
  marking: null,
}

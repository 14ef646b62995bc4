/** The transcript viewer as the rest of the program sees it: its moves, its actions and what it can be asked for. */
import type { ScrollMove } from './scroll-move.ts'

/** The ways to move in the viewer; what they mean is the viewer's own affair. */
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

/** What is done with what is seen in it. */
export type ViewerWork = 'copy' | 'copy_answer' | 'dump' | 'edit' | 'edit_file' | 'export'

export type ViewerSource = { text: string; what: string; extension: string }

/** The viewer on its screen. */
export type Viewer = {
  open: () => void
  close: () => void
  perform: (move: ViewerMove) => void
  /** Takes what is typed where something is; false where it is keys. */
  type: (text: string) => boolean
  /** Whether a list or a search is open in it, which `leave` closes first. */
  isBusy: () => boolean
  /** What the chosen block was made from; all that was answered in its turn; the file that it is about. */
  source: () => ViewerSource | null
  answer: () => ViewerSource | null
  file: () => { path: string; line: number | null } | null
  /** Prints a text into the scrollback as it is. */
  print: (text: string) => void
}

/** An action of the viewer's keys. */
export type ViewerAction = { do: 'viewer'; how: ViewerMove | ViewerWork }

/** Something of the conversation with a name: a turn, a block of one, a line that was found in one. */
export type Passage = {
  section: number
  block: number
  label: string
  detail: string
}

/** The conversation as it is now, in passages. */
export type Readable = {
  /** Oldest first. */
  turns: () => Passage[]
  /** Of a turn: its prompt, its texts, its pieces of code, its tool calls. */
  blocks: (turn: Passage) => Passage[]
  /** All of a block, whether memory holds it or not. */
  text: (block: Passage) => string
  source: (block: Passage) => ViewerSource | null
  /** The lines with a text in them, and what stands around them; oldest first. */
  search: (query: string) => Passage[]
}

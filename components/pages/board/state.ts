/** What the board remembers while it is open. */
import type { BoardHost } from '../../../src/fleet/board-source.ts'
import type { BoardMerge, BoardPageRequest } from '../../../src/app/pages/pages.ts'
import type { Editor } from '../../../src/composer/editor.ts'
import type { ScrollMove } from '../scroll.ts'

export type BoardMove =
  | Exclude<ScrollMove, 'page_up' | 'page_down'>
  | 'question_down'
  | 'question_up'
  | 'filter'
  | 'hosts'
  | 'help'
  | 'leave'
  | 'field_close'

/** The actions that do more than move. */
export type BoardWork =
  | 'open'
  | 'yes'
  | 'no'
  | 'words'
  | 'rename'
  | 'end'
  | 'archive'
  | 'stop'
  | 'background'
  | 'transcript'
  | 'diff'
  | 'merge'
  | 'back'
  | 'field_done'

/** What waits for a yes before it is done. `key` is that of a row. */
export type BoardDoubt = { key: string; armed: boolean } & (
  | { kind: 'end' | 'archive' }
  /** Another zotui moves it to the background. `opens`: it is shown here then. */
  | { kind: 'take'; opens: boolean }
  | { kind: 'merge'; merge: BoardMerge }
)

/** The open text field. `ask`: the key of the question that the words refuse. */
export type BoardField = { editor: Editor } & (
  | { kind: 'filter' }
  | { kind: 'name'; key: string }
  | { kind: 'words'; key: string; ask: string }
)

/** What was spent today; null while it is not known. */
export type DayShown = ReturnType<BoardPageRequest['dayCost']>

export type BoardState = {
  hosts: readonly BoardHost[]
  /** Milliseconds since the Unix epoch. */
  now: number
  day: DayShown
  /** The key of the selected row; null until the person presses a key: then the first one is selected, whatever comes. */
  selected: string | null
  filter: string
  field: BoardField | null
  /** The first line of the selected row's question that is shown, and whose it is. */
  scroll: { ask: string; from: number }
  /** The key of the question that a yes or no answers: it has stood there for a moment without any key. */
  armed: string | null
  /** The key of the last question whose end was on the screen. */
  seen: string | null
  /** The key of the question whose answer is on its way. */
  sent: string | null
  doubt: BoardDoubt | null
  showsHosts: boolean
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
}

export function initialBoard(hosts: readonly BoardHost[], now: number, kept: Partial<BoardState>): BoardState {
  return {
    hosts,
    now,
    day: null,
    selected: null,
    filter: '',
    field: null,
    scroll: { ask: '', from: 0 },
    armed: null,
    seen: null,
    sent: null,
    doubt: null,
    showsHosts: false,
    help: null,
    ...kept,
  }
}

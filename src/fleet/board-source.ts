/** Where the rows of the board come from: this machine, another one, a cluster, or the containers of this machine. */
import type { OutsideReply } from '../published/outside-call.ts'
import type { BoardAction, BoardLine } from './board-lines.ts'
import type { BoardRow } from './board-row.ts'

export type BoardHostState = Extract<BoardLine, { type: 'host' }>['state']

export type BoardHost = {
  /** '' for this machine; else `ssh:build`, `job:TEMPLATE`, or `containers`. Not sanitised. */
  name: string
  /** `connected`: its rows are all there. `lost`: it was connected, and its rows are those of the last moment. */
  state: BoardHostState
  /** A sentence; '' for none. */
  problem: string
  /** The times of the rows are by the clock of this machine. */
  rows: readonly BoardRow[]
}

/** Nothing of it throws or rejects, and nothing waits for another source. */
export type BoardSource = {
  readonly name: string
  /** Begins to look. `onChange` is called after each change, at once or in the next turn of the event loop. Called once. */
  start: (onChange: () => void) => void
  host: () => BoardHost
  /** What the person asks for. It is carried out once. */
  act: (row: string, action: BoardAction) => Promise<OutsideReply>
  /** The command that opens the conversation in this terminal, for a host whose conversations cannot be shown by this program; null for none. */
  opens: (row: string) => { file: string; args: readonly string[] } | null
  close: () => void
}

/** What /serve remembers while it is open. */
import type { LocalServerState } from '../../../src/app/context/local-server.ts'
import type { ScrollMove } from '../scroll.ts'

export type ServeMove = Exclude<ScrollMove, 'half_up' | 'half_down'> | 'remove' | 'off' | 'help' | 'leave'

/** The actions that do more than move. */
export type ServeWork = 'yes' | 'no' | 'link' | 'next_role' | 'change_role' | 'copy' | 'start'

/** What waits for a yes before it is done. */
export type ServeDoubt = { kind: 'revoke' | 'end_share'; id: string } | { kind: 'off' }

export type ServeState = {
  server: LocalServerState
  /** Milliseconds since the Unix epoch. */
  now: number
  /** The key of the selected row; null for the first one. */
  selected: string | null
  /** The key of the question that a yes or no answers: nothing has been pressed for a moment, and it has stood there as long. */
  armed: string | null
  doubt: ServeDoubt | null
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
}

export function initialServe(server: LocalServerState, now: number): ServeState {
  return { server, now, selected: null, armed: null, doubt: null, help: null }
}

/** What the program and the thread with the index say to each other. */
import type { FindAnswer, FindQuery } from './passage.ts'

/** Given to the thread when it starts. `isEager`: somebody waits for the index, and does nothing else. */
export type FindSetup = { stateFolder: string; isEager: boolean }

export type FindRequest =
  | { type: 'find'; id: number; query: FindQuery; most: number }
  | { type: 'catch-up'; id: number }
  | { type: 'close' }

export type FindReply =
  | { type: 'found'; id: number; answer: FindAnswer }
  /** Null if all sessions are in the index; else one line for the user. */
  | { type: 'caught-up'; id: number; problem: string | null }

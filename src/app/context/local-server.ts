/** The server for browsers that this zotui has started: one for all its conversations. */
import type { ServeAction, ServeView } from '../../published/control.ts'

export type LocalServerState =
  | { phase: 'off' }
  | { phase: 'starting' }
  /** `qr`: the link for a new device as rows of half blocks, in which a block is dark. Null without a link, or if it is too long for a code. */
  | { phase: 'running'; view: ServeView; qr: readonly string[] | null }
  /** It has ended by itself, or did not start. Both are unsanitised. */
  | { phase: 'failed'; message: string; hint: string }

/** Null for what the person has set. */
export type LocalServerOptions = {
  /** The address of a tunnel. */
  at: string | null
  port: number | null
}

export type LocalServer = {
  state: () => LocalServerState
  /** Calls the listener after each change. Returns a function that unsubscribes. While somebody listens, nothing is announced. */
  subscribe: (listener: () => void) => () => void
  /** Starts it, unless it runs like that. One that runs otherwise is ended first. */
  start: (options: LocalServerOptions) => void
  /** Starts it as the last time. */
  startAgain: () => void
  act: (action: ServeAction) => void
  stop: () => void
}

/** Limits of time and size for zot, in milliseconds unless noted. */
export type ZotLimits = {
  /** From the start to the end of the handshake. An extension that never answers keeps zot from reading its input. */
  hello: number
  /** From the handshake until zot asks about every call, if it is guarded. */
  guard: number
  /** The time that a call waits in zot: zot runs it after 5 s, and the guard refuses it after 4.5 s. */
  holdIntercept: number
  /** The time that a call of a tool of ours waits before it is deferred: zot gives up on it after 60 s, and the guard after 58 s. */
  holdTool: number
  /** From the abort until the user gets a message that zot has not stopped. */
  abort: number
  /** From the reply to the abort of a compaction to its end: zot sends nothing more then. */
  compactionGrace: number
  /** The time that `close` waits for an abort: zot kills a command that ignores SIGTERM after 3 s. */
  closeAbort: number
  /** The time that `close` waits for zot to exit after its input is closed. */
  closeExit: number
  /** Between two tries while zot reports that it is busy: it sends `done` a little before it is idle. */
  busyPause: number
  /** The number of further tries. */
  busyRetries: number
  /** The longest line with a prompt, in bytes: zot ends at 16 MiB. */
  promptBytes: number
}

export const DEFAULT_LIMITS: ZotLimits = {
  hello: 10_000,
  guard: 3000,
  holdIntercept: 4000,
  holdTool: 55_000,
  abort: 10_000,
  compactionGrace: 300,
  closeAbort: 3500,
  closeExit: 2000,
  busyPause: 75,
  busyRetries: 8,
  promptBytes: 15_000_000,
}

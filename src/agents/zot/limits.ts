/** How long zot may take, and how much it can. Milliseconds, unless said otherwise. */
export type ZotLimits = {
  /** From the start to the end of the handshake. An extension that never answers keeps zot from reading at all. */
  hello: number
  /** From the wish to abort until the person is told that zot does not. */
  abort: number
  /** From the reply to the abort of a compaction to its end: zot says nothing more of it. */
  compactionGrace: number
  /** What `close` gives an abort: a command that ignores SIGTERM is killed by zot after 3 s. */
  closeAbort: number
  /** What `close` gives zot to exit once its input is closed. */
  closeExit: number
  /** Between two tries while zot says that it is busy: it writes `done` a little before it is idle. */
  busyPause: number
  /** How many more tries. */
  busyRetries: number
  /** The longest line with a prompt, in bytes: at 16 MiB zot would end. */
  promptBytes: number
}

export const DEFAULT_LIMITS: ZotLimits = {
  hello: 10_000,
  abort: 10_000,
  compactionGrace: 300,
  closeAbort: 3500,
  closeExit: 2000,
  busyPause: 75,
  busyRetries: 8,
  promptBytes: 15_000_000,
}

/** What the promise gave, or `timed out` after `limit` milliseconds; the promise goes on unheard. */
export async function within<Value>(limit: number, promise: Promise<Value>): Promise<Value | 'timed out'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timed out'>(resolve => {
    timer = setTimeout(resolve, limit, 'timed out')
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

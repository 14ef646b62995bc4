/** All that the demo knows of time, so that a test can hold the clock. */
export interface DemoTimers {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Runs `run` once, `ms` milliseconds from now and never within this call. Returns how to take that back. */
  after(ms: number, run: () => void): () => void
}

export const realTimers: DemoTimers = {
  now: () => Date.now(),
  after(ms, run) {
    // An immediate and not a timeout of 1 ms: at speed 0 a script of thousands of pieces takes milliseconds.
    if (ms <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    const timeout = setTimeout(run, ms)
    return () => clearTimeout(timeout)
  },
}

/** The demo's clock, which a test can replace. */
export interface DemoTimers {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Runs `run` once, `ms` milliseconds from now and never within this call. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

export const realTimers: DemoTimers = {
  now: () => Date.now(),
  after(ms, run) {
    // With an immediate instead of a timeout of 1 ms, thousands of pieces take milliseconds at speed 0.
    if (ms <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    const timeout = setTimeout(run, ms)
    return () => clearTimeout(timeout)
  },
}

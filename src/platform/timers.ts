export type Timers = {
  /** Runs `run` once, `ms` milliseconds from now and never within this call. Returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
}

/** Timers of Node. One that waits keeps the program alive. */
export const timers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** The same, but a timer that waits does not keep the program alive. */
export const quietTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}

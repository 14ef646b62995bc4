/** The timers of what writes a little later. */
export const timers = {
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

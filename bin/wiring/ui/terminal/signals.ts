/** Handles the signals that end the program, and the loss of its parent. */
import process from 'node:process'

/** The exit code after each signal: 128 plus its number. */
export const SIGNALS = { SIGINT: 130, SIGQUIT: 131, SIGTERM: 143, SIGHUP: 129 } as const

/** The interval for checking the parent process, in milliseconds. */
const PARENT_CHECK = 1000

export type SignalWork = {
  /** Whether another program has the terminal. Signals from the keyboard are then for that program. */
  isLent: () => boolean
  /** Ends the agent normally and exits. */
  leave: () => Promise<void>
  /** Exits at once. */
  quit: () => Promise<void>
}

/** Exits on a signal. The returned function gives the exit code of that signal, null before one has arrived. */
export function handleSignals({ isLent, leave, quit }: SignalWork): () => number | null {
  let exitCode: number | null = null
  const end = (code: number): void => {
    // A second signal does not wait for the agent.
    const atOnce = code === SIGNALS.SIGQUIT || exitCode !== null
    exitCode = code
    void (atOnce ? quit() : leave())
  }
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (!isLent() || signal === 'SIGTERM' || signal === 'SIGHUP') end(code)
    })
  }
  // With a limit on file sizes (`ulimit -f`) the write itself then fails, and reports that.
  process.on('SIGXFSZ', () => {})
  onOrphaned(() => end(SIGNALS.SIGHUP))
  return () => exitCode
}

/** Calls back when the parent process, such as npm, was killed: the shell then has the terminal, but sends no signal. */
function onOrphaned(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_CHECK)
  timer.unref()
}

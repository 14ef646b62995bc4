/** What the system and the shell tell the program: to end, and that nobody is there any more. */
import process from 'node:process'

/** How a signal that ends us is told as an exit code: 128 and its number. */
export const SIGNALS = { SIGINT: 130, SIGQUIT: 131, SIGTERM: 143, SIGHUP: 129 } as const

/** How often it is looked whether what started us is still there, in milliseconds. */
const PARENT_CHECK = 1000

export type Leaving = {
  /** Whether another program has the terminal: what comes from the keyboard is for that one. */
  isLent: () => boolean
  /** Ends the agent in good order and leaves. */
  leave: () => Promise<void>
  /** Leaves at once. */
  quit: () => Promise<void>
}

/** Leaves when told to. Returns the exit code that says why, null before anything did. */
export function handleSignals({ isLent, leave, quit }: Leaving): () => number | null {
  let exitCode: number | null = null
  const end = (code: number): void => {
    // Who asks twice does not want to wait for an agent that takes its time.
    const atOnce = code === SIGNALS.SIGQUIT || exitCode !== null
    exitCode = code
    void (atOnce ? quit() : leave())
  }
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (!isLent() || signal === 'SIGTERM' || signal === 'SIGHUP') end(code)
    })
  }
  // A limit on the size of files (`ulimit -f`): the write that went too far then fails, which its own error tells.
  process.on('SIGXFSZ', () => {})
  onOrphaned(() => end(SIGNALS.SIGHUP))
  return () => exitCode
}

/** Calls back when what started us has gone, such as a killed npm: the shell has the terminal then, and nobody says so. */
function onOrphaned(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_CHECK)
  timer.unref()
}

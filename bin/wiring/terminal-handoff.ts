/** The terminal in other hands for a while: an editor's, or the shell's after Ctrl+Z. */
import process from 'node:process'
import type { Mounted } from '../../components/mount.tsx'
import type { Terminal } from '../../src/terminal/terminal.ts'

export type TerminalHandoff = {
  /** Whether another program has the terminal: then its Ctrl+C is not for us. */
  isLent: () => boolean
  /** Gives the terminal to `run`, and has it back when that is over. Does nothing while it is lent. */
  lend: (run: () => Promise<void>) => Promise<void>
}

export function createTerminalHandoff(terminal: Terminal, mounted: () => Mounted | null): TerminalHandoff {
  let lent = false
  return {
    isLent: () => lent,
    async lend(run) {
      const screen = mounted()
      if (lent || !screen) return
      lent = true
      try {
        await screen.suspend(async () => {
          terminal.pause()
          try {
            await run()
          } finally {
            terminal.resume()
          }
        })
      } finally {
        lent = false
      }
    },
  }
}

/** How long, in milliseconds, a stop may take to happen. Nobody stops a program without a shell that could continue it. */
const STOP_WAIT = 100

/**
 * Makes Ctrl+Z and a `kill -TSTP` from outside the same: the terminal is given back first, and drawn anew when the program
 * goes on. Returns what stops the program; `whole` is the whole job, as the terminal's own Ctrl+Z would.
 */
export function handleStops(lending: TerminalHandoff): () => Promise<void> {
  const stop = async (pid: number): Promise<void> => {
    process.off('SIGTSTP', stopped)
    await stopProcess(pid)
    process.on('SIGTSTP', stopped)
  }
  // While another program has the terminal there is nothing to give back.
  const stopped = (): void => void (lending.isLent() ? stop(process.pid) : lending.lend(() => stop(process.pid)))
  process.on('SIGTSTP', stopped)
  return () => lending.lend(() => stop(0))
}

/** Resolves when it goes on. */
async function stopProcess(pid: number): Promise<void> {
  await new Promise<void>(resolve => {
    const goOn = (): void => {
      clearTimeout(timer)
      process.off('SIGCONT', goOn)
      resolve()
    }
    const timer = setTimeout(goOn, STOP_WAIT)
    process.on('SIGCONT', goOn)
    process.kill(pid, 'SIGTSTP')
  })
}

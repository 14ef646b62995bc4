/** Hands the terminal to another program for a while: to an editor, or to the shell after Ctrl+Z. */
import process from 'node:process'
import type { Terminal } from '../../../../src/terminal/terminal.ts'
import type { Display } from '../display.ts'

export type TerminalHandoff = {
  /** Whether another program has the terminal. Its Ctrl+C is then not for us. */
  isLent: () => boolean
  /** Hands the terminal to `run`, and takes it back afterwards. Does nothing while it is lent. */
  lend: (run: () => Promise<void>) => Promise<void>
}

export function createTerminalHandoff(terminal: Terminal, display: Pick<Display, 'suspend'>): TerminalHandoff {
  let lent = false
  return {
    isLent: () => lent,
    async lend(run) {
      if (lent) return
      lent = true
      try {
        await display.suspend(async () => {
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

/** The time limit for a stop, in milliseconds. The system does not stop a program that no shell could continue. */
const STOP_WAIT = 100

/**
 * Handles Ctrl+Z and `kill -TSTP` in the same way: restores the terminal first, and redraws when the program continues. The
 * returned function stops the whole job, as the terminal's own Ctrl+Z would.
 */
export function handleStops(lending: TerminalHandoff): () => Promise<void> {
  const stop = async (pid: number): Promise<void> => {
    process.off('SIGTSTP', stopped)
    await stopProcess(pid)
    process.on('SIGTSTP', stopped)
  }
  // While another program has the terminal there is nothing to restore.
  const stopped = (): void => void (lending.isLent() ? stop(process.pid) : lending.lend(() => stop(process.pid)))
  process.on('SIGTSTP', stopped)
  return () => lending.lend(() => stop(0))
}

/** Stops the process, and resolves when it continues. */
async function stopProcess(pid: number): Promise<void> {
  await new Promise<void>(resolve => {
    const resume = (): void => {
      clearTimeout(timer)
      process.off('SIGCONT', resume)
      resolve()
    }
    const timer = setTimeout(resume, STOP_WAIT)
    process.on('SIGCONT', resume)
    process.kill(pid, 'SIGTSTP')
  })
}

/** The terminal in other hands for a while: an editor's, or the shell's after Ctrl+Z. */
import process from 'node:process'
import type { Mounted } from '../components/mount.tsx'
import type { Terminal } from '../src/terminal/terminal.ts'

export type Lending = {
  /** Whether another program has the terminal: then its Ctrl+C is not for us. */
  isLent: () => boolean
  /** Gives the terminal to `run`, and has it back when that is over. Does nothing while it is lent. */
  lend: (run: () => Promise<void>) => Promise<void>
}

export function createLending(terminal: Terminal, mounted: () => Mounted | null): Lending {
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

/** Stops the whole job as the terminal's own Ctrl+Z would; resolves when it goes on. */
export async function stopJob(): Promise<void> {
  await new Promise<void>(resolve => {
    const goOn = (): void => {
      clearTimeout(timer)
      process.off('SIGCONT', goOn)
      resolve()
    }
    const timer = setTimeout(goOn, STOP_WAIT)
    process.on('SIGCONT', goOn)
    process.kill(0, 'SIGTSTP')
  })
}

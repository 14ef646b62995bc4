/** Runs another program on the alternate screen: see `Guest`. */
import process from 'node:process'
import type { Host } from '../../../../src/app/context/host.ts'
import { findScript, runWatched } from '../../../../src/platform/shell/foreground.ts'
import { createGuest } from '../../../../src/terminal/guest.ts'
import type { Watchdog } from '../../../../src/platform/watchdog.ts'
import type { TerminalHandoff } from './terminal-handoff.ts'

export function createScreenLoan(
  { lend }: Pick<TerminalHandoff, 'lend'>,
  watchdog: Pick<Watchdog, 'taken' | 'returned'>,
  stdout: NodeJS.WriteStream,
): NonNullable<Host['lendScreen']> {
  const { platform } = process
  return async (program, line) => {
    const script = await findScript(program.env, program.cwd ?? process.cwd(), platform)
    if (script === null) return null
    const guest = createGuest({ columns: stdout.columns, rows: stdout.rows }, line)
    const leave = (): void => void stdout.write(guest.leave)
    const onResize = (): void => void stdout.write(guest.resized())
    let failure: string | null = null
    await lend(async () => {
      // If zotui is killed meanwhile, the watchdog leaves the alternate screen.
      watchdog.taken(guest.leave)
      process.once('exit', leave)
      stdout.on('resize', onResize)
      stdout.write(guest.enter)
      try {
        const onOutput = (bytes: Buffer): void => {
          const { leave: before } = guest
          const output = guest.through(bytes)
          // Reported before the program's modes are on, so that a kill between the two takes them back, too.
          if (guest.leave !== before) watchdog.taken(guest.leave)
          stdout.write(output)
        }
        failure = await runWatched({ ...program, rows: guest.rows, onOutput }, script, platform)
      } finally {
        stdout.off('resize', onResize)
        process.off('exit', leave)
        await new Promise(resolve => stdout.write(guest.leave, resolve))
        watchdog.returned()
      }
    })
    return { failure }
  }
}

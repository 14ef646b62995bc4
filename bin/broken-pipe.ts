/** Output into a pipe whose reader may leave first. */
import type { Writable } from 'node:stream'
import process from 'node:process'

/** Ends the process, as done, when whoever reads its output has had enough: `| head`. */
export function endQuietlyWithReader(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}

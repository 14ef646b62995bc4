/** Output whose reader may leave first. */
import type { Writable } from 'node:stream'
import process from 'node:process'

/** A pipe without a reader, and a terminal that is closed. */
const gone: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO'])

/** Ends the process, as done, when whoever reads its output has left: `| head`, or a terminal that is closed. */
export function endQuietlyWithReader(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (gone.has(error.code)) process.exit()
    throw error
  })
}

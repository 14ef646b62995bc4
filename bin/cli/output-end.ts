/** Output whose reader may leave first, or into a file that can take no more. */
import type { Writable } from 'node:stream'
import process from 'node:process'
import { UserError } from '../../src/platform/errors.ts'
import { tell } from '../standard-streams.ts'

/** A pipe without a reader, and a terminal that is closed. */
const gone: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO'])

/** Whether whoever reads has left: `| head`, or a terminal that is closed. Anything else that happens to output is a loss. */
export function isReaderGone(error: NodeJS.ErrnoException): boolean {
  return gone.has(error.code)
}

export function unwritten(error: NodeJS.ErrnoException, hint = ''): UserError {
  return new UserError(`Standard output cannot be written (${error.code ?? error.message}).`, hint)
}

/** Ends the process, as done, when whoever reads its output has left; as failed where that cannot be written. */
export function endWithOutput(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) process.exit()
    tell(unwritten(error).message)
    process.exit(1)
  })
}

/** Handles output whose reader leaves early, or that cannot be written. */
import type { Writable } from 'node:stream'
import process from 'node:process'
import { UserError } from '../../src/platform/errors.ts'
import { writeMessage } from '../standard-streams.ts'

/** The errors of a pipe without a reader, and of a closed terminal. */
const gone: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO'])

/** Whether the reader has left: `| head`, or a closed terminal. Any other error means lost output. */
export function isReaderGone(error: NodeJS.ErrnoException): boolean {
  return gone.has(error.code)
}

export function unwritten(error: NodeJS.ErrnoException, hint = ''): UserError {
  return new UserError(`Cannot write to standard output (${error.code ?? error.message}).`, hint)
}

/** Ends the process when its output fails: with success if the reader has left, otherwise with failure. */
export function endWithOutput(output: Writable): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) process.exit()
    writeMessage(unwritten(error).message)
    process.exit(1)
  })
}

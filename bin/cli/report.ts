import process from 'node:process'
import { isReplaced, messageOf, stackOf, UserError } from '../../src/platform/errors.ts'
import type { Log } from '../../src/storage/log.ts'
import { writeMessage } from '../standard-streams.ts'
import { sentence } from '../../src/text/sentence.ts'

/** Prints an error in a line or two and returns the exit code. A bug's stack goes to the log file. */
export function report(error: unknown, log: Log): number {
  if (error instanceof UserError) {
    writeMessage([error.message, error.hint].map(sentence).join(' ').trimEnd())
    return error.exitCode
  }
  log.write(stackOf(error))
  if (isReplaced(error)) {
    writeMessage('a file of zotui is missing: it was updated meanwhile. Start it again, or install it again.')
    return 1
  }
  writeMessage(`this is a bug in zotui: ${messageOf(error)}\nPlease report it with ${log.path}`)
  return 1
}

/** Reports an uncaught bug and exits. Node itself would print its message unsanitised. */
export function reportUncaught(log: Log): void {
  process.on('uncaughtException', error => process.exit(report(error, log)))
}

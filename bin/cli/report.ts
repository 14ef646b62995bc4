import process from 'node:process'
import { UserError } from '../../src/platform/errors.ts'
import type { Log } from '../../src/storage/log.ts'
import { tell } from '../standard-streams.ts'
import { sentence } from '../../src/text/sentence.ts'

/** Says in a line or two what went wrong, and returns the exit code; a bug's stack goes to the log file. */
export function report(error: unknown, log: Log): number {
  if (error instanceof UserError) {
    tell([error.message, error.hint].map(sentence).join(' ').trimEnd())
    return error.exitCode
  }
  log.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const message = error instanceof Error ? error.message : String(error)
  tell(`this is a bug in zotui: ${message}\nWhat a report needs is in ${log.path}`)
  return 1
}

/** Reports a bug that nobody catches, and ends: Node would write the words of it to the terminal as they are. */
export function reportUncaught(log: Log): void {
  process.on('uncaughtException', error => process.exit(report(error, log)))
}

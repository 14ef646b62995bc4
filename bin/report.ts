import process from 'node:process'
import { UserError } from '../src/errors.ts'
import type { Log } from '../src/log.ts'
import { sentence } from '../src/text/sentence.ts'

/** Says in a line or two what went wrong, and returns the exit code; a bug's stack goes to the log file. */
export function report(error: unknown, log: Log): number {
  if (error instanceof UserError) {
    process.stderr.write(`zotui: ${[error.message, error.hint].map(sentence).join(' ').trimEnd()}\n`)
    return error.exitCode
  }
  log.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`zotui: this is a bug in zotui: ${message}\n  What a report needs is in ${log.path}\n`)
  return 1
}

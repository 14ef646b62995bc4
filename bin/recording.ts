/** `--record`: the file that what passes on the wire is written into. */
import { openSync, writeSync } from 'node:fs'
import process from 'node:process'
import { UserError } from '../src/errors.ts'
import { createRedactor } from '../src/session/secrets.ts'
import { createRecorder } from '../src/zot/record.ts'

/**
 * Opens the file, which must not be there yet, and returns what stands in between. Each line is written at once: a recording
 * of a program that was killed holds all that came before.
 *
 * @throws UserError where the file cannot be made.
 */
export function openRecording(file: string, secrets: readonly string[]): ReturnType<typeof createRecorder> {
  const descriptor = open(file)
  let isBroken = false
  return createRecorder({
    now: () => performance.now(),
    redactor: createRedactor(secrets),
    write(line) {
      if (isBroken) return
      try {
        writeSync(descriptor, `${line}\n`)
      } catch (error) {
        // A full disk is no reason to stop; what is there can be read.
        isBroken = true
        process.emitWarning(`${file} is not written any further: ${String(error)}`)
      }
    },
  })
}

function open(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST')
      throw new UserError(`The file ${file} is there already.`, 'Name another one for --record.', 2)
    throw new UserError(`The file ${file} cannot be written (${code}).`, 'Name another one for --record.', 2)
  }
}

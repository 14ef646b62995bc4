/** The file of `--record`, which records the wire. */
import { openSync, writeFileSync } from 'node:fs'
import { codeOf, UserError } from '../../src/platform/errors.ts'
import { createRedactor } from '../../src/storage/sessions/secrets.ts'
import { createRecorder } from '../../src/agents/recording/record.ts'

export type RecordingFile = {
  /** Wraps the transport to the agent and records its lines. */
  record: ReturnType<typeof createRecorder>
  /** Calls `report` once, with one line, when the file cannot be written any more, or if that has already happened. */
  onBroken: (report: (words: string) => void) => void
}

/**
 * Creates the file, which must not exist. Each line is written at once, so that the recording of a killed program is complete
 * up to that point.
 *
 * @throws UserError if the file cannot be created.
 */
export function openRecording(file: string, secrets: readonly string[]): RecordingFile {
  const descriptor = open(file)
  const broken = Promise.withResolvers<string>()
  let isBroken = false
  const record = createRecorder({
    now: () => performance.now(),
    redactor: createRedactor(secrets),
    write(line) {
      if (isBroken) return
      try {
        writeFileSync(descriptor, `${line}\n`)
      } catch (error) {
        // The session continues on a full disk. The recording can be read up to here.
        isBroken = true
        broken.resolve(`Recording to ${file} stopped (${codeOf(error)}). It is complete up to this point.`)
      }
    },
  })
  return { record, onBroken: report => void broken.promise.then(report) }
}

function open(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST')
      throw new UserError(`The file ${file} already exists.`, 'Choose another file for --record.', 2)
    throw new UserError(`The file ${file} cannot be written (${code}).`, 'Choose another file for --record.', 2)
  }
}

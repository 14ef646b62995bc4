/** `--record`: the file that what passes on the wire is written into. */
import { openSync, writeFileSync } from 'node:fs'
import { UserError } from '../../src/platform/errors.ts'
import { createRedactor } from '../../src/storage/sessions/secrets.ts'
import { createRecorder } from '../../src/agents/replay/record.ts'

export type RecordingFile = {
  /** Stands between us and the agent, and writes down what passes. */
  record: ReturnType<typeof createRecorder>
  /** Has it told, once and in one line, when the file cannot be written any further; also where that has happened already. */
  onBroken: (tell: (words: string) => void) => void
}

/**
 * Opens the file, which must not be there yet. Each line is written at once: a recording of a program that was killed holds
 * all that came before.
 *
 * @throws UserError where the file cannot be made.
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
        // A full disk is no reason to stop; what is there can be read.
        isBroken = true
        broken.resolve(
          `The recording ${file} cannot be written any further (${codeOf(error)}). What is in it can be replayed.`,
        )
      }
    },
  })
  return { record, onBroken: tell => void broken.promise.then(tell) }
}

function open(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST')
      throw new UserError(`The file ${file} is there already.`, 'Name another one for --record.', 2)
    throw new UserError(`The file ${file} cannot be written (${code}).`, 'Name another one for --record.', 2)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/**
 * The waiting prompts of a conversation in the background, in a file beside its session. The process that has the conversation writes it at
 * each change, so a kill loses none of them. Whoever resumes the session takes them.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { heldEntrySchema, type HeldEntry } from '../../agent/held-queue.ts'
import { readTextSync } from '../../platform/regular-file.ts'
import { parseJson, toJson } from '../../text/json.ts'
import { attempt, createReporter } from '../failures.ts'
import { replaceFile } from '../replace-file.ts'
import { queuePath } from './beside.ts'
import { openSessionFiles } from './session-files.ts'

/** Bytes of the largest file that is read: prompts may have images. */
const LARGEST = 256 * 1024 * 1024

const fileSchema = z.object({ version: z.literal(1), entries: z.array(heldEntrySchema).readonly() })

export type QueueFile = {
  /** The prompts that wait in a session. */
  read: (session: string) => readonly HeldEntry[]
  /** Keeps them with this session, and no longer with another one. */
  write: (session: string, entries: readonly HeldEntry[]) => void
}

export type QueueFileOptions = {
  stateFolder: string
  projectFolder: string
  /** Called at most once, with one line. */
  onProblem: (words: string) => void
}

/** Nothing here throws. */
export function openQueueFile({ stateFolder, projectFolder, onProblem }: QueueFileOptions): QueueFile {
  const { own } = openSessionFiles(stateFolder, resolve(projectFolder))
  const report = createReporter('The waiting prompts cannot be saved', onProblem)
  let written: { path: string; text: string } | null = null

  return {
    read(session) {
      const text = attempt(
        () => undefined,
        '',
        () => readTextSync(queuePath(own, session), LARGEST),
      )
      const found = fileSchema.safeParse(parseJson(text))
      return found.success ? found.data.entries : []
    },
    write: (session, entries) => attempt(report, undefined, () => write(session, entries)),
  }

  function write(session: string, entries: readonly HeldEntry[]): void {
    const path = queuePath(own, session)
    if (written && written.path !== path) drop(written.path)
    if (entries.length === 0) return drop(path)
    const text = `${toJson({ version: 1, entries })}\n`
    if (written?.text === text) return
    replaceFile(path, text)
    written = { path, text }
  }

  function drop(path: string): void {
    rmSync(path, { force: true })
    written = null
  }
}

/**
 * Stores earlier prompts. Each project has a folder with `now.jsonl`, to which every program adds, and parts of the past.
 *
 * A file that has grown too large is never rewritten, since another program may be adding to it. It is moved to a unique name
 * and becomes a part. A program that was adding to it at that moment notices this and adds to the new file (`appendRecord`).
 * Then all parts are gathered into one new part, and the old ones are removed once that is in place. If two programs do this at
 * once, prompts are stored twice at worst, and readers count each text once.
 */
import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { isMissing } from '../../platform/errors.ts'
import { namesIn } from '../../platform/folders.ts'
import { attempt, createReporter } from '../failures.ts'
import { storedFolderName } from '../folder-name.ts'
import { readLastRecords } from '../jsonl-read.ts'
import { appendRecord, jsonLine } from '../jsonl-write.ts'
import { replaceFile } from '../replace-file.ts'

const imageSchema = z.object({ label: z.string(), at: z.int(), sha256: z.string(), path: z.string() })
/** An image in an earlier prompt: the position of its label, and the path of its file, which may be gone. */
export type PastImage = z.infer<typeof imageSchema>

const promptSchema = z.object({
  text: z.string(),
  /** The project's folder, as an absolute path. */
  folder: z.string(),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  /** Its images that are in files. */
  images: z.array(imageSchema).exactOptional(),
})
export type PastPrompt = z.infer<typeof promptSchema>

export type HistoryJournal = {
  /** The newest prompts of this folder, the newest last. A text that was sent twice is listed once. */
  recent: (limit: number) => string[]
  /** The newest prompts of all folders. A text that was sent twice is listed once. */
  all: (limit: number) => PastPrompt[]
  /** The images of this folder's prompts, by the text of the prompt. */
  images: (limit: number) => ReadonlyMap<string, readonly PastImage[]>
  /** Adds a prompt with its images that are in files. Blank prompts are not stored. */
  append: (text: string, images?: readonly (Omit<PastImage, 'path'> & { path?: string })[]) => void
}

/** In bytes. */
export type HistoryLimits = {
  /** A file of this size is moved away and gathered. */
  full: number
  /** The size of the newest prompts that are kept then; at least one prompt. */
  kept: number
  /** The most that is read of one folder. */
  read: number
  /** The most that is read of all folders together. */
  readAll: number
}

export type HistoryOptions = {
  stateFolder: string
  projectFolder: string
  now: () => number
  /** Called at most once, with one line. The history continues without its file. */
  onProblem: (words: string) => void
  limits?: HistoryLimits
}

const MB = 1024 * 1024
const usualLimits: HistoryLimits = { full: 4 * MB, kept: 2 * MB, read: MB, readAll: 4 * MB }

const CURRENT = 'now.jsonl'
/** In milliseconds. Files that a killed program left while gathering are removed at this age. */
const LEFTOVER_AGE = 3_600_000

/** Opening reads and creates nothing. Nothing here throws. */
export function openHistory(options: HistoryOptions): HistoryJournal {
  const { stateFolder, projectFolder, now, onProblem, limits = usualLimits } = options
  const root = join(stateFolder, 'history')
  const own = join(root, storedFolderName(projectFolder))
  const folder = resolve(projectFolder)
  const report = createReporter('The prompt history cannot be saved', onProblem)

  return {
    recent: limit =>
      attempt(report, [], () => newest(readFolder(own, limits.read).prompts, limit).map(prompt => prompt.text)),
    all: limit => attempt(report, [], () => newest(readAll(root, limits), limit)),
    images: limit =>
      attempt(report, new Map<string, readonly PastImage[]>(), () => {
        const { prompts } = readFolder(own, limits.read)
        return new Map(newest(prompts, limit).flatMap(({ text, images }) => (images ? [[text, images]] : [])))
      }),
    append(text, images = []) {
      if (text.trim() === '') return
      const inFiles = images.flatMap(({ label, at, sha256, path }) =>
        path === undefined ? [] : [{ label, at, sha256, path }],
      )
      attempt(report, undefined, () => {
        const size = appendRecord(join(own, CURRENT), {
          at: now(),
          folder,
          text,
          ...(inFiles.length > 0 && { images: inFiles }),
        })
        if (size >= limits.full) gather(own, now(), limits.kept)
      })
    },
  }
}

/** The newest `limit` prompts, each text once. */
function newest(prompts: readonly PastPrompt[], limit: number): PastPrompt[] {
  const byText = new Map<string, PastPrompt>()
  for (const prompt of prompts.toSorted((a, b) => a.at - b.at)) {
    // Deleted first, so that its place is where it was sent last.
    byText.delete(prompt.text)
    byText.set(prompt.text, prompt)
  }
  return limit > 0 ? [...byText.values()].slice(-limit) : []
}

type ReadPrompts = { prompts: PastPrompt[]; bytes: number }

function readAll(root: string, limits: HistoryLimits): PastPrompt[] {
  const byChange = namesIn(root)
    .map(name => join(root, name))
    .map(path => ({ path, changed: changed(join(path, CURRENT)) }))
    .toSorted((a, b) => b.changed - a.changed)
  const prompts: PastPrompt[] = []
  let left = limits.readAll
  for (const { path } of byChange) {
    if (left <= 0) break
    const read = readFolder(path, Math.min(left, limits.read))
    for (const prompt of read.prompts) prompts.push(prompt)
    left -= read.bytes
  }
  return prompts
}

/** A folder's newest prompts, oldest first, out of about `limit` bytes. */
function readFolder(folder: string, limit: number): ReadPrompts {
  for (let attempt = 1; ; attempt += 1) {
    const names = partsOf(folder)
    const read = readParts(folder, [...names, CURRENT], limit)
    // A file that was moved during the read would be missing.
    if (attempt === 4 || partsOf(folder).join('/') === names.join('/')) return read
  }
}

/** Parts have names that sort by age. */
function partsOf(folder: string): string[] {
  return namesIn(folder)
    .filter(name => name.endsWith('.jsonl') && name !== CURRENT)
    .toSorted()
}

/** `names` are oldest first. */
function readParts(folder: string, names: readonly string[], limit: number): ReadPrompts {
  const parts: PastPrompt[][] = []
  let bytes = 0
  for (const name of names.toReversed()) {
    if (bytes >= limit) break
    const read = readLastRecords(join(folder, name), limit - bytes)
    parts.push(read.records.flatMap(record => promptSchema.safeParse(record).data ?? []))
    bytes += read.bytes
  }
  return { prompts: parts.toReversed().flat(), bytes }
}

function gather(folder: string, now: number, kept: number): void {
  const name = (): string => `${String(now).padStart(15, '0')}-${randomBytes(6).toString('hex')}.jsonl`
  try {
    renameSync(join(folder, CURRENT), join(folder, name()))
  } catch (error) {
    // Another program was first and gathers.
    if (isMissing(error)) return
    throw error
  }
  const parts = partsOf(folder)
  const prompts = newest(readParts(folder, parts, kept).prompts, Number.MAX_SAFE_INTEGER)
  const gathered = name()
  replaceFile(join(folder, gathered), prompts.map(jsonLine).join(''), join(folder, `${gathered}.part`))
  for (const part of parts) rmSync(join(folder, part), { force: true })
  for (const leftover of namesIn(folder).filter(name => name.endsWith('.part'))) {
    const path = join(folder, leftover)
    if (now - changed(path) > LEFTOVER_AGE) rmSync(path, { force: true })
  }
}

/** When a file was last written, in milliseconds since the Unix epoch; 0 where there is none. */
function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

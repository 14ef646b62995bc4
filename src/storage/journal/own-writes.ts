/**
 * The files that zotui itself writes into a project for the user: exports, notes, merges and restores. All programs of the user
 * add to the same journal, so that what one of them writes is not taken for a change of the agent in another.
 */
import { lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { unfinishedAmong } from '../../platform/remove-unfinished.ts'
import { attempt, createReporter } from '../failures.ts'
import { readRecords } from '../jsonl-read.ts'
import { appendRecord } from '../jsonl-write.ts'

const KINDS = ['export', 'note', 'merge', 'restore', 'revert'] as const
export type OwnWriteKind = (typeof KINDS)[number]
/** `unfinished`: a file that becomes another one, or was one. */
export type StandingKind = OwnWriteKind | 'unfinished'

export type OwnWrites = {
  /** Notes files, by absolute path, as they are now. */
  add: (kind: OwnWriteKind, files: readonly string[]) => void
  /** Notes the files that `work` writes, of those at these absolute paths. While it works, all of them count as noted. */
  during: <Value>(kind: OwnWriteKind, files: readonly string[], work: () => Promise<Value>) => Promise<Value>
  /**
   * Those of the files, by absolute path, that zotui wrote since then and that nobody has changed afterwards. `since` is in
   * milliseconds since the Unix epoch.
   */
  standing: (files: readonly string[], since: number) => ReadonlyMap<string, StandingKind>
}

export type OwnWritesOptions = {
  stateFolder: string
  now: () => number
  /** Called at most once, with one line. */
  onProblem?: (words: string) => void
}

/** A mark changes when its file is written, and is null if there is no file. Without marks the files are about to be written. */
const recordSchema = z.object({
  at: z.number(),
  kind: z.enum(KINDS),
  id: z.string(),
  files: z.array(z.string()),
  marks: z.array(z.string().nullable()).optional(),
})
type OwnRecord = z.infer<typeof recordSchema>

/** Files in one record, which is one write. */
const MOST_AT_ONCE = 500
/** Milliseconds after which writing that was announced and never finished does not count. */
const LONGEST = 120_000
const DAY = 86_400_000
/** Days for which the journal is kept. */
const MOST_DAYS = 40

/** Opening reads and creates nothing. Nothing here throws but what `work` throws. */
export function openOwnWrites({ stateFolder, now, onProblem = () => undefined }: OwnWritesOptions): OwnWrites {
  const folder = join(stateFolder, 'own-writes')
  const report = createReporter('What zotui wrote cannot be noted', onProblem)
  let isPruned = false

  return {
    add: (kind, files) => note(kind, randomUUID(), files.map(placed), true),
    async during(kind, files, work) {
      const id = randomUUID()
      const places = files.map(placed)
      const before = places.map(markOf)
      note(kind, id, places, false)
      try {
        return await work()
      } finally {
        const written = places.filter((place, index) => markOf(place) !== before[index])
        note(kind, id, written, true)
      }
    },
    standing: (files, since) =>
      attempt<ReturnType<OwnWrites['standing']>>(report, new Map(), () => standingOf(files, since)),
  }

  function note(kind: OwnWriteKind, id: string, files: readonly string[], areWritten: boolean): void {
    attempt(report, undefined, () => {
      for (let from = 0; from === 0 || from < files.length; from += MOST_AT_ONCE) {
        const some = files.slice(from, from + MOST_AT_ONCE)
        const record: OwnRecord = { at: now(), kind, id, files: some, ...(areWritten && { marks: some.map(markOf) }) }
        appendRecord(fileOf(now()), record)
      }
      prune()
    })
  }

  function standingOf(files: readonly string[], since: number): ReadonlyMap<string, StandingKind> {
    const unfinished = unfinishedAmong(files, stateFolder)
    const records = recordsSince(since)
    const finished = new Set(records.flatMap(({ id, marks }) => (marks ? [id] : [])))
    const written = new Map<string, { kind: OwnWriteKind; mark: string | null | undefined }>()
    for (const { at, kind, id, files: noted, marks } of records) {
      const counts = marks !== undefined || (!finished.has(id) && now() - at < LONGEST)
      if (counts) for (const [index, file] of noted.entries()) written.set(file, { kind, mark: marks?.[index] })
    }
    return new Map(
      files.flatMap((file): [string, StandingKind][] => {
        if (unfinished.has(file)) return [[file, 'unfinished']]
        const found = written.get(placed(file))
        const stands = found !== undefined && (found.mark === undefined || found.mark === markOf(placed(file)))
        return stands ? [[file, found.kind]] : []
      }),
    )
  }

  function recordsSince(since: number): OwnRecord[] {
    const first = Math.max(since, now() - MOST_DAYS * DAY)
    const days = Array.from({ length: Math.floor((now() - dayStart(first)) / DAY) + 1 }, (_, index) =>
      fileOf(dayStart(first) + index * DAY),
    )
    return days.flatMap(recordsIn).filter(({ at }) => at >= since)
  }

  function fileOf(at: number): string {
    return join(folder, `${new Date(at).toISOString().slice(0, 10)}.jsonl`)
  }

  /** Removes the files of days that are too long ago, once for each program. */
  function prune(): void {
    if (isPruned) return
    isPruned = true
    const oldest = basename(fileOf(now() - MOST_DAYS * DAY))
    for (const name of readdirSync(folder)) if (name < oldest) rmSync(join(folder, name), { force: true })
  }
}

/** The days are those of UTC. */
const dayStart = (at: number): number => Math.floor(at / DAY) * DAY

function recordsIn(path: string): OwnRecord[] {
  return readRecords(path).flatMap(record => recordSchema.safeParse(record).data ?? [])
}

/** The path with links in its folder resolved; the file itself may be a link, or missing. */
function placed(file: string): string {
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch {
    // Its folder does not exist either.
    return file
  }
}

function markOf(file: string): string | null {
  try {
    const { size, mtimeNs, ctimeNs, ino, mode } = lstatSync(file, { bigint: true })
    return [size, mtimeNs, ctimeNs, ino, mode].join(' ')
  } catch {
    // The file does not exist, or its folder is not readable.
    return null
  }
}

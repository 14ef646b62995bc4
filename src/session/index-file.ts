/**
 * The summaries of a folder's sessions, so that a list needs not read them all: a cache, one record a line, the last of a
 * session counts. A record that is older than its session is gone on with from where it ended.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { isMissing, listing } from '../journal/places.ts'
import { appendRecord, parse } from '../journal/records.ts'
import { decodeLine } from './format.ts'
import { readLines } from './read.ts'
import { emptySummary, isTelling, summarise, summarySchema, type SessionSummary } from './summary.ts'

const INDEX = 'index.jsonl'
const EXTENSION = '.jsonl'

/** `size`: how many bytes of the session's file are in it. */
const recordSchema = z.object({ size: z.number(), summary: summarySchema })
export type IndexRecord = z.infer<typeof recordSchema>

/** The ids of the sessions in a folder. */
export function sessionIds(folder: string): string[] {
  return listing(folder)
    .filter(name => name.endsWith(EXTENSION) && name !== INDEX)
    .map(name => name.slice(0, -EXTENSION.length))
}

export function sessionPath(folder: string, id: string): string {
  return join(folder, id + EXTENSION)
}

/** Adds what is known of a session. A cache: where it cannot be written the sessions are read again. */
export function noteSummary(folder: string, record: IndexRecord): void {
  try {
    appendRecord(join(folder, INDEX), record)
  } catch {
    // Nothing is lost but time.
  }
}

export type Index = {
  /** The sessions in the folder. */
  ids: readonly string[]
  /** What is known of a session as its file is now; null where there is none. Reads what of the file is new. */
  summaryOf: (id: string) => SessionSummary | null
  /** Writes what was found out. */
  save: () => void
}

/** @throws what the system throws. */
export function openIndex(folder: string): Index {
  const ids = sessionIds(folder)
  const { known, lines } = readIndex(join(folder, INDEX), new Set(ids))
  const fresh = new Map<string, IndexRecord>()

  return {
    ids,
    summaryOf(id) {
      const path = sessionPath(folder, id)
      const size = statSync(path, { throwIfNoEntry: false })?.size
      if (size === undefined) return null
      const record = known.get(id)
      if (record?.size === size) return record.summary
      const read = readOn(path, id, record && record.size < size ? record : undefined)
      // A line that is still being written, or never will be, is no news.
      if (read.size !== record?.size) fresh.set(id, read)
      known.set(id, read)
      return read.summary
    },
    save() {
      if (lines > 2 * known.size + 200) rewrite(folder, [...known.values()])
      else for (const record of fresh.values()) noteSummary(folder, record)
      fresh.clear()
    },
  }
}

/** The summary of a file, from where a former one ended. */
function readOn(path: string, id: string, before: IndexRecord | undefined): IndexRecord {
  let summary = before?.summary ?? emptySummary(id)
  const size = readLines(path, before?.size ?? 0, (text, isFinished) => {
    const line = isFinished && isTelling(text) ? decodeLine(text) : null
    if (line) summary = summarise(summary, line)
  })
  return { size, summary }
}

function readIndex(path: string, ids: ReadonlySet<string>): { known: Map<string, IndexRecord>; lines: number } {
  const known = new Map<string, IndexRecord>()
  let lines = 0
  for (const line of textOf(path).split('\n')) {
    if (line === '') continue
    lines += 1
    const { success, data } = recordSchema.safeParse(parse(line))
    if (success && ids.has(data.summary.id)) known.set(data.summary.id, data)
  }
  return { known, lines }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

/** What another program adds meanwhile is lost, and read again from its session. */
function rewrite(folder: string, records: readonly IndexRecord[]): void {
  const unfinished = join(folder, `${INDEX}.${process.pid}.next`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, records.map(record => `${JSON.stringify(record)}\n`).join(''), { mode: 0o600 })
    renameSync(unfinished, join(folder, INDEX))
  } catch {
    // It stays long.
  }
}

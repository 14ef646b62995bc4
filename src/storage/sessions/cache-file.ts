/**
 * What was found out about files, so that they need not be read again: one record a line, the last of a key counts. It is a
 * cache: where it cannot be written nothing is lost but time.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { makeFolder } from '../../platform/folders.ts'
import { isMissing } from '../journal/places.ts'
import { appendRecord } from '../journal/records.ts'
import { parseJson } from '../../text/json.ts'
import { readTextSync } from '../../platform/regular-file.ts'

export type CacheFile<Entry> = {
  get: (key: string) => Entry | undefined
  /** Takes the place of what was known. */
  add: (entry: Entry) => void
  /** Writes what was added. */
  save: () => void
}

export type CacheOptions<Entry> = {
  schema: z.ZodType<Entry>
  keyOf: (entry: Entry) => string
  /** What it is about may be gone. */
  isWanted: (key: string) => boolean
}

/** So many are written one by one, since other programs may add to the file; more are written with all the rest at once. */
const FEW = 50

/** @throws what the system throws, but for a file that is not there. */
export function openCacheFile<Entry>(path: string, options: CacheOptions<Entry>): CacheFile<Entry> {
  const { known, lines } = readCache(path, options)
  const fresh = new Map<string, Entry>()

  return {
    get: key => known.get(key),
    add(entry) {
      const key = options.keyOf(entry)
      known.set(key, entry)
      fresh.set(key, entry)
    },
    save() {
      if (fresh.size > FEW || lines > 2 * known.size + 200) rewrite(path, [...known.values()])
      else for (const entry of fresh.values()) noteRecord(path, entry)
      fresh.clear()
    },
  }
}

/** Adds a record without reading the others. */
export function noteRecord(path: string, record: unknown): void {
  try {
    appendRecord(path, record)
  } catch {
    // What it is about is read again.
  }
}

function readCache<Entry>(
  path: string,
  { schema, keyOf, isWanted }: CacheOptions<Entry>,
): { known: Map<string, Entry>; lines: number } {
  const known = new Map<string, Entry>()
  let lines = 0
  for (const line of textOf(path).split('\n')) {
    if (line === '') continue
    lines += 1
    const { success, data } = schema.safeParse(parseJson(line))
    if (success && isWanted(keyOf(data))) known.set(keyOf(data), data)
  }
  return { known, lines }
}

function textOf(path: string): string {
  try {
    return readTextSync(path)
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

/** What another program adds meanwhile is lost, and found out again. */
function rewrite(path: string, records: readonly unknown[]): void {
  const unfinished = `${path}.${process.pid}.next`
  try {
    makeFolder(dirname(path))
    writeFileSync(unfinished, records.map(record => `${JSON.stringify(record)}\n`).join(''), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    // It stays as it was.
  }
}

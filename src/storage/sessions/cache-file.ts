/**
 * A cache of facts about files, so that they need not be read again: one record on each line, and the last record of a key
 * counts. Where the cache cannot be written, only time is lost.
 */
import type * as z from 'zod'
import { readRecords } from '../jsonl-read.ts'
import { appendRecord, jsonLine } from '../jsonl-write.ts'
import { replaceFile } from '../replace-file.ts'

export type CacheFile<Entry> = {
  get: (key: string) => Entry | undefined
  /** Replaces the entry with this key. */
  add: (entry: Entry) => void
  /** Writes the added entries. */
  save: () => void
}

export type CacheOptions<Entry> = {
  schema: z.ZodType<Entry>
  keyOf: (entry: Entry) => string
  /** Whether the file of a key still exists. */
  isNeeded: (key: string) => boolean
}

/** Up to this many entries are appended, since other programs may append to the file too. With more the file is replaced. */
const FEW = 50

/** @throws what the system throws, unless the file is missing. */
export function openCacheFile<Entry>(path: string, { schema, keyOf, isNeeded }: CacheOptions<Entry>): CacheFile<Entry> {
  const records = readRecords(path)
  const known = new Map<string, Entry>()
  const fresh = new Map<string, Entry>()
  for (const record of records) {
    const { success, data } = schema.safeParse(record)
    if (success && isNeeded(keyOf(data))) known.set(keyOf(data), data)
  }

  return {
    get: key => known.get(key),
    add(entry) {
      known.set(keyOf(entry), entry)
      fresh.set(keyOf(entry), entry)
    },
    save() {
      const isLong = fresh.size > FEW || records.length > 2 * known.size + 200
      // Entries that another program appends during this are lost, and found again.
      if (isLong) quietly(() => replaceFile(path, [...known.values()].map(jsonLine).join('')))
      else for (const entry of fresh.values()) noteRecord(path, entry)
      fresh.clear()
    },
  }
}

/** Appends a record without reading the others. */
export function noteRecord(path: string, record: unknown): void {
  quietly(() => appendRecord(path, record))
}

function quietly(write: () => void): void {
  try {
    write()
  } catch {
    // The file stays as it was, and its facts are found again.
  }
}

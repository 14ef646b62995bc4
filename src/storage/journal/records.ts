/** Files of records, one line of JSON each, that many programs write at once. Everything here throws what the system throws. */
import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { parseJson } from '../../text/json.ts'
import { openRegularFileSync } from '../../platform/regular-file.ts'
import { isMissing } from './places.ts'

/** A record that is larger than what was asked for is still read, up to this many bytes. */
const LARGEST_READ = 32 * 1024 * 1024

/** Writes at the end of an open file and returns how many bytes it took. */
type WriteOnce = (file: number, bytes: Buffer) => number

/** How often a file may be moved away under a write before that is nobody's hurry any more. */
const ATTEMPTS = 8

/**
 * Adds a record at the end of a file that is made (0600) where there is none, and returns the file's size in bytes.
 *
 * It is one write at the end of the file, which systems do not mix with another's. The line break before the record makes
 * what a killed program left unfinished a line of its own, so that it cannot spoil this one. A file that was moved away
 * meanwhile may have been read for the last time: then the record is written again, to the file that took its place.
 */
export function appendRecord(path: string, record: unknown, write: WriteOnce = writeSync): number {
  const bytes = Buffer.from(`\n${JSON.stringify(record)}\n`)
  let size = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const file = openSync(path, 'a', 0o600)
    try {
      const written = write(file, bytes)
      // The rest is not sent after: another's record may stand in between by now.
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes went to ${path}`)
      const { ino, dev, size: now } = fstatSync(file, { bigint: true })
      const there = statSync(path, { bigint: true, throwIfNoEntry: false })
      size = Number(now)
      if (there?.ino === ino && there.dev === dev) return size
    } finally {
      closeSync(file)
    }
  }
  return size
}

/**
 * The last records of a file, oldest first, out of its last `limit` bytes; of larger records the last one. Lines that hold
 * no JSON are left out. No file has no records. `bytes` is how much was read.
 */
export function readLastRecords(path: string, limit: number): { records: unknown[]; bytes: number } {
  let file: number
  try {
    file = openRegularFileSync(path)
  } catch (error) {
    if (isMissing(error)) return { records: [], bytes: 0 }
    throw error
  }
  try {
    const { size } = fstatSync(file)
    for (let length = Math.min(size, limit); ; length = Math.min(size, length * 4)) {
      const records = parseLines(readEnd(file, size, length), length < size)
      if (records.length > 0 || length === size || length >= LARGEST_READ) return { records, bytes: length }
    }
  } finally {
    closeSync(file)
  }
}

function readEnd(file: number, size: number, length: number): string {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const got = readSync(file, bytes, filled, length - filled, size - length + filled)
    if (got === 0) break
    filled += got
  }
  return bytes.toString('utf8', 0, filled)
}

/** `isCut`: the text begins somewhere in a line. */
function parseLines(text: string, isCut: boolean): unknown[] {
  const lines = text.split('\n')
  if (isCut) lines.shift()
  return lines.flatMap(line => {
    if (line === '') return []
    const record = parseJson(line)
    return record === undefined ? [] : [record]
  })
}

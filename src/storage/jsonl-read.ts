/** Reads files with one JSON value on each line. Everything here throws what the system throws. */
import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { isMissing } from '../platform/errors.ts'
import { openRegularFileSync } from '../platform/regular-file.ts'
import { parseJson } from '../text/json.ts'

export type LinePiece = {
  /** The lines that are not blank. */
  lines: string[]
  /** False for the last line of a file that ends without a line break. */
  areFinished: boolean
  /** The offset after the last finished line, in bytes. */
  finished: number
  /** The part of the file that has been read, from 0 to 1. */
  share: number
}

export type LineOptions = {
  /** The offset of the first byte to read. */
  from?: number
  /** The offset after the last byte to read. */
  to?: number
  /** The number of bytes that are read at once. */
  step?: number
  /** A file with more bytes is refused. */
  limit?: number
}

/** Bytes that are read at once. */
const STEP = 1024 * 1024
/** In bytes. `readLastRecords` looks this far back for one complete record. */
const LARGEST_READ = 32 * 1024 * 1024

/** The lines of a file, as many at once as `step` bytes hold. The last piece holds what was left. */
export function* readLines(
  path: string,
  { from = 0, to = Infinity, step = STEP, limit }: LineOptions = {},
): Generator<LinePiece> {
  const file = openRegularFileSync(path, limit)
  try {
    const size = Math.min(fstatSync(file).size, to)
    // Most files are small, and there may be ten thousand of them.
    const bytes = Buffer.allocUnsafe(Math.max(1, Math.min(step, size - from)))
    const decoder = new StringDecoder('utf8')
    let open = ''
    let at = from
    let finished = from
    for (;;) {
      const count = readSync(file, bytes, 0, Math.min(bytes.length, to - at), at)
      if (count === 0) break
      const piece = bytes.subarray(0, count)
      const end = piece.lastIndexOf(0x0a)
      if (end >= 0) finished = at + end + 1
      at += count
      const lines = decoder.write(piece).split('\n')
      lines[0] = open + (lines[0] ?? '')
      open = lines.pop() ?? ''
      yield { lines: lines.filter(isNotBlank), areFinished: true, finished, share: at < size ? at / size : 1 }
    }
    open += decoder.end()
    yield { lines: [open].filter(isNotBlank), areFinished: false, finished, share: 1 }
  } finally {
    closeSync(file)
  }
}

/** The values of a file from an offset on. Lines that are not JSON are omitted; a missing file has none. */
export function readRecords(path: string, from = 0): unknown[] {
  const records: unknown[] = []
  try {
    for (const { lines } of readLines(path, { from })) {
      for (const line of lines) {
        const record = parseJson(line)
        if (record !== undefined) records.push(record)
      }
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return records
}

/**
 * The last values of a file, oldest first, out of its last `limit` bytes; of larger values the last one. `bytes` is how many
 * were read.
 */
export function readLastRecords(path: string, limit: number): { records: unknown[]; bytes: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  for (let bytes = Math.min(size, limit); ; bytes = Math.min(size, bytes * 4)) {
    // The first line may be cut, and is then not valid JSON.
    const records = readRecords(path, size - bytes)
    if (records.length > 0 || bytes === size || bytes >= LARGEST_READ) return { records, bytes }
  }
}

function isNotBlank(line: string): boolean {
  return line.trim() !== ''
}

/**
 * Writes files with one JSON value on each line: `appendRecord` where many programs write to a file at once, `openJsonlFile`
 * where one program owns it. Everything here throws what the system throws.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMissing } from '../platform/errors.ts'
import { makeFolder } from '../platform/folders.ts'

/** Writes at the end of an open file and returns how many bytes it wrote. */
type WriteOnce = (file: number, bytes: Buffer) => number

/** The number of times that a record is written again because its file was moved away during the write. */
const ATTEMPTS = 8
const LF = 10
const PIECE = 1024 * 1024

/** The text of a value as a line of such a file. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/**
 * Adds a record to the end of a file that other programs may be adding to, and returns the file's size in bytes. Makes the file
 * (0600) and its folder where they are missing.
 *
 * The record is one write at the end of the file, which systems do not mix with another program's. The line break before it ends
 * what a killed program left unfinished, so that this record is not damaged by it. If the file was moved away during the write,
 * it may have been read for the last time: then the record is written again, to the new file of that name.
 */
export function appendRecord(path: string, record: unknown, write: WriteOnce = writeSync): number {
  const bytes = Buffer.from(`\n${jsonLine(record)}`)
  let size = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const file = openToAppend(path)
    try {
      const written = write(file, bytes)
      // The rest cannot follow: another program may have added a record by now.
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes went to ${path}`)
      ;({ size } = fstatSync(file))
      if (isAt(path, file)) return size
    } finally {
      closeSync(file)
    }
  }
  return size
}

export type JsonlFile = {
  /** Adds whole lines. Lines that cannot be written are kept and written with the next ones. */
  append: (lines: string) => void
  /** The lines that could not be written yet. The first may be in the file in part. */
  unwritten: () => string
  close: () => void
}

/**
 * A file that only this program writes. It is opened by the first `append`. If the file is removed while it is open, it is put
 * back with its content, and `onRemoved` is called.
 */
export function openJsonlFile(path: string, onRemoved: () => void): JsonlFile {
  let file: number | null = null
  /** The first `written` bytes of the first are in the file. */
  const unwritten: Buffer[] = []
  let written = 0

  function append(lines: string): void {
    unwritten.push(Buffer.from(lines))
    file ??= openAfterLastLine(path)
    if (!isAt(path, file)) {
      file = putBack(file, path)
      onRemoved()
    }
    for (let first = unwritten[0]; first; first = unwritten[0]) {
      // A full disk may take a part of a line. The rest follows it, since nobody else writes here.
      written += writeSync(file, first, written)
      if (written < first.length) continue
      unwritten.shift()
      written = 0
    }
  }

  return {
    append,
    unwritten: () => Buffer.concat(unwritten).subarray(beginOfLine()).toString(),
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }

  /** The offset of the line in the first buffer that is not wholly in the file. */
  function beginOfLine(): number {
    return written === 0 ? 0 : (unwritten[0]?.lastIndexOf(LF, written - 1) ?? -1) + 1
  }
}

function openToAppend(path: string): number {
  try {
    return openSync(path, 'a+', 0o600)
  } catch (error) {
    if (!isMissing(error)) throw error
    makeFolder(dirname(path))
    return openSync(path, 'a+', 0o600)
  }
}

function openAfterLastLine(path: string): number {
  const file = openToAppend(path)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  // A line that a killed program left unfinished is ended here.
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LF) writeSync(file, '\n')
  return file
}

/** Whether the open file is still the one at the path. */
function isAt(path: string, file: number): boolean {
  const { ino, dev } = fstatSync(file, { bigint: true })
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  return there?.ino === ino && there.dev === dev
}

/** A removed file can be read for as long as it is open. */
function putBack(removed: number, path: string): number {
  const file = openToAppend(path)
  try {
    copy(removed, file)
  } catch (error) {
    // Half a copy would be taken for the whole file the next time.
    closeSync(file)
    rmSync(path, { force: true })
    throw error
  }
  closeSync(removed)
  return file
}

function copy(from: number, to: number): void {
  const piece = Buffer.alloc(PIECE)
  for (let at = 0; ;) {
    const count = readSync(from, piece, 0, PIECE, at)
    if (count === 0) return
    let written = 0
    while (written < count) written += writeSync(to, piece, written, count - written)
    at += count
  }
}

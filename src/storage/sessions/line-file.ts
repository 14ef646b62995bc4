/** A file that only ever grows by lines, and is written by one program. */
import { closeSync, fstatSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../platform/folders.ts'

export type LineFile = {
  /** Adds whole lines. What cannot be written is kept and goes with what comes next; throws what the system throws. */
  append: (lines: string) => void
  close: () => void
}

const LF = 10
const PIECE = 1024 * 1024

/**
 * `onRemoved` is called when the file was taken away while it was open: it is put back as it was.
 *
 * The file is opened by the first line.
 */
export function openLineFile(path: string, onRemoved: () => void): LineFile {
  let file: number | null = null
  const unwritten: Buffer[] = []

  function append(lines: string): void {
    unwritten.push(Buffer.from(lines))
    file ??= openAtEnd(path)
    if (!isThere(file, path)) {
      file = putBack(file, path)
      onRemoved()
    }
    for (let first = unwritten[0]; first; first = unwritten[0]) {
      const count = writeSync(file, first)
      // A line that the disk took only a part of is gone on with: nobody else writes here.
      if (count < first.length) unwritten[0] = first.subarray(count)
      else unwritten.shift()
    }
  }

  return {
    append,
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

function openAtEnd(path: string): number {
  makeFolder(dirname(path))
  const file = openSync(path, 'a+', 0o600)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  // What a killed program left unfinished becomes a line of its own.
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LF) writeSync(file, '\n')
  return file
}

function isThere(file: number, path: string): boolean {
  const { ino, dev } = fstatSync(file, { bigint: true })
  const there = statSync(path, { bigint: true, throwIfNoEntry: false })
  return there?.ino === ino && there.dev === dev
}

/** What was removed is still readable as long as it is open. */
function putBack(removed: number, path: string): number {
  makeFolder(dirname(path))
  const file = openSync(path, 'a+', 0o600)
  try {
    copy(removed, file)
  } catch (error) {
    // Half of it would be taken for all of it the next time.
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

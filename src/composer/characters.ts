/**
 * A line as its characters. Short lines are read each time; a long one is remembered, and the next long line that shares
 * its ends (the same line after a key) is read only where they differ.
 */
import { commonPrefix, commonSuffix } from './difference.ts'
import { eachCharacter } from './graphemes.ts'

/** One entry a character: how many code units, how many columns (at most 255). A tab's columns depend on where it stands. */
export interface Characters {
  readonly lengths: Uint32Array
  readonly columns: Uint8Array
}

interface Remembered {
  readonly line: string
  readonly characters: Characters
}

/** Lines shorter than this cost less to read than to remember. */
export const LONG_LINE = 2048
const REMEMBERED_LIMIT = 8

/** Newest first. A memory of what is a pure function of the line, so nobody can tell that it is there. */
let remembered: readonly Remembered[] = []

/** The characters of one line (without its newline). */
export function charactersOf(line: string): Characters {
  if (line.length < LONG_LINE) return read(line)
  if (ASCII.test(line)) return oneEach(line.length)
  const same = remembered.find(entry => entry.line === line)
  if (same !== undefined) return same.characters
  const characters = readLike(line)
  remembered = [{ line, characters }, ...remembered.slice(0, REMEMBERED_LIMIT - 1)]
  return characters
}

/** The long lines that there really are (minified code, logs) need neither reading nor remembering. */
const ASCII = /^[\t\x20-\x7e]*$/

/** The same for all such lines, and only ever grown: nobody writes to them. */
let ones: Characters = { lengths: new Uint32Array(0), columns: new Uint8Array(0) }

function oneEach(size: number): Characters {
  if (ones.columns.length < size)
    ones = { lengths: new Uint32Array(size * 2).fill(1), columns: new Uint8Array(size * 2).fill(1) }
  return { lengths: ones.lengths.subarray(0, size), columns: ones.columns.subarray(0, size) }
}

function read(line: string): Characters {
  const into = new Writer(line.length)
  eachCharacter(line, 0, (length, columns) => into.push(length, columns))
  return into.finish()
}

/** Reads a line by way of the remembered one that shares at least half of it. */
function readLike(line: string): Characters {
  for (const entry of remembered) {
    const prefix = commonPrefix(entry.line, line)
    const suffix = commonSuffix(entry.line, line, prefix)
    if ((prefix + suffix) * 2 >= line.length) return splice(entry, line, prefix, suffix)
  }
  return read(line)
}

/**
 * Whether a boundary stands depends on what is before it and on the code point after it. So the old boundaries hold up to two
 * units before the difference; from there the line is read until it meets an old boundary in the shared end, and from one
 * boundary on equal text has equal boundaries.
 */
function splice(old: Remembered, line: string, prefix: number, suffix: number): Characters {
  const { lengths, columns } = old.characters
  const into = new Writer(line.length)
  let taken = 0
  let at = 0
  while (taken < lengths.length && at + (lengths[taken] ?? 0) <= prefix - 2) at += lengths[taken++] ?? 0
  into.copy(old.characters, 0, taken)

  const shift = line.length - old.line.length
  let rest = taken
  let restAt = at
  eachCharacter(line, at, (length, width) => {
    into.push(length, width)
    at += length
    while (rest < lengths.length && restAt < at - shift) restAt += lengths[rest++] ?? 0
    return !(at >= line.length - suffix && restAt === at - shift)
  })
  if (at < line.length) into.copy({ lengths, columns }, rest, lengths.length)
  return into.finish()
}

class Writer {
  private readonly lengths: Uint32Array
  private readonly columns: Uint8Array
  private size = 0

  constructor(capacity: number) {
    this.lengths = new Uint32Array(capacity)
    this.columns = new Uint8Array(capacity)
  }

  push(length: number, columns: number): boolean {
    this.lengths[this.size] = length
    this.columns[this.size] = Math.min(columns, 255)
    this.size += 1
    return true
  }

  copy(from: Characters, start: number, end: number): void {
    this.lengths.set(from.lengths.subarray(start, end), this.size)
    this.columns.set(from.columns.subarray(start, end), this.size)
    this.size += end - start
  }

  finish(): Characters {
    return { lengths: this.lengths.subarray(0, this.size), columns: this.columns.subarray(0, this.size) }
  }
}

/**
 * Hunks as the bytes of their lines, and what a file is when only some of their changed lines are taken. A line is a text in Latin-1, in
 * which each character is a byte, with its end.
 */
import type { DiffLine } from '../../text/diff-line.ts'
import type { ExactLines, Hunk } from '../../tools/diff/change.ts'

export type ByteLine = { sign: DiffLine['sign']; bytes: string }

/** Adjacent lines of the new side, from the line with the index `start`. */
export type ByteHunk = { start: number; lines: readonly ByteLine[] }

/** The indexes of changed lines of a hunk. */
export type LineSet = ReadonlySet<number>

/** The lines of a file, each with its end. */
export function splitLines(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter(line => line !== '')
}

export function joinLines(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'latin1')
}

/** Null if the lines have no numbers on the new side, or are not adjacent there. */
export function byteHunk({ lines }: Hunk, encoding: ExactLines['encoding']): ByteHunk | null {
  const numbers = lines.flatMap(({ sign, after }) => (sign === '-' ? [] : [after]))
  const first = numbers[0] ?? 1
  if (first === null || numbers.some((number, index) => number !== first + index)) return null
  return { start: first - 1, lines: lines.map(line => ({ sign: line.sign, bytes: bytesOf(line, encoding) })) }
}

function bytesOf({ text, end }: DiffLine, encoding: ExactLines['encoding']): string {
  return (encoding === 'latin1' ? text : Buffer.from(text, 'utf8').toString('latin1')) + (end ?? '\n')
}

/** The number of lines on the new side. */
export function newLength({ lines }: ByteHunk): number {
  return lines.reduce((count, { sign }) => count + (sign === '-' ? 0 : 1), 0)
}

/** All changed lines of a hunk. */
export function changedLines({ lines }: Pick<ByteHunk, 'lines'>): number[] {
  return [...lines.keys()].filter(index => lines[index]?.sign !== ' ')
}

/** Whether a line is there when some of the changed lines are taken: the old side has none of them, the new side all. */
export function isThere({ sign }: Pick<ByteLine, 'sign'>, isTaken: boolean): boolean {
  return sign === ' ' || (sign === '+') === isTaken
}

/** The lines of a hunk with some of its changes. */
export function mixed({ lines }: ByteHunk, taken: LineSet): string[] {
  return lines.filter((line, index) => isThere(line, taken.has(index))).map(({ bytes }) => bytes)
}

/** Lines of a file: one without an end gets one if another follows it. */
export function ended(lines: string[]): string[] {
  const usual = lines.find(line => line.endsWith('\n'))?.endsWith('\r\n') === true ? '\r\n' : '\n'
  return lines.map((line, index) => (index === lines.length - 1 || line.endsWith('\n') ? line : withEnd(line, usual)))
}

const withEnd = (line: string, end: string): string => (line.endsWith('\r') ? `${line}\n` : line + end)

/** The file without the given changes of its hunks; null if its lines are not those of the hunks. */
export function reverted(
  file: readonly string[],
  hunks: readonly { hunk: ByteHunk; without: LineSet }[],
  by: ExactLines['by'],
): string[] | null {
  const result = [...file]
  for (const { hunk, without } of hunks.toSorted((a, b) => b.hunk.start - a.hunk.start)) {
    const there = file.slice(hunk.start, hunk.start + newLength(hunk))
    const lines = withoutChanges(hunk, there, without, by)
    if (lines === null) return null
    result.splice(hunk.start, there.length, ...lines)
  }
  return ended(result)
}

/** Lines that stay are those of the file: git may have compared them with other ends. */
function withoutChanges(
  { lines }: ByteHunk,
  there: readonly string[],
  without: LineSet,
  by: ExactLines['by'],
): string[] | null {
  const result: string[] = []
  let [at, isConverted] = [0, false]
  for (const { sign, bytes } of lines) {
    if (sign === '-') continue
    const found = there[at]
    at += 1
    if (found === bytes) continue
    if (found === undefined || by !== 'git' || found.replace(/\r\n$/, '\n') !== bytes) return null
    isConverted = true
  }
  at = 0
  for (const [index, { sign, bytes }] of lines.entries()) {
    const own = sign === '-' ? null : (there[at++] ?? '')
    const isKept = isThere({ sign }, !without.has(index))
    if (isKept) result.push(own ?? (isConverted ? bytes.replace(/(?<!\r)\n$/, '\r\n') : bytes))
  }
  return result
}

/** Cells of the table below, which are bytes. */
const MOST_CELLS = 4 * 1024 * 1024

/**
 * The changes of a hunk that some lines have: the lines are those of the hunk with these changes and without the others. Null if they
 * are anything else, or too many.
 */
export function takenIn({ lines }: ByteHunk, there: readonly string[], isAtEnd: boolean): LineSet | null {
  const [rows, columns] = [lines.length + 1, there.length + 1]
  const whole = takenWhole({ start: 0, lines }, there)
  if (whole || rows * columns > MOST_CELLS) return whole
  /** Whether the lines of the hunk from a row on can be those from a column on. */
  const fits = new Uint8Array(rows * columns)
  fits[rows * columns - 1] = 1
  const isSame = (row: number, column: number): boolean => {
    const [line, found] = [lines[row]?.bytes, there[column]]
    if (line === undefined || found === undefined) return false
    if (line === found) return true
    const isLast = isAtEnd && column === there.length - 1
    return !isLast && !line.endsWith('\n') && (found === `${line}\n` || found === `${line}\r\n`)
  }
  for (let row = lines.length - 1; row >= 0; row -= 1) {
    const isContext = lines[row]?.sign === ' '
    for (let column = there.length; column >= 0; column -= 1) {
      const isLeftOut = !isContext && fits[(row + 1) * columns + column] === 1
      const isFound = column < there.length && fits[(row + 1) * columns + column + 1] === 1 && isSame(row, column)
      fits[row * columns + column] = isLeftOut || isFound ? 1 : 0
    }
  }
  if (fits[0] !== 1) return null
  const taken = new Set<number>()
  let column = 0
  for (const [row, { sign }] of lines.entries()) {
    const isFound = isSame(row, column) && fits[(row + 1) * columns + column + 1] === 1
    const isLeftOut = sign !== ' ' && fits[(row + 1) * columns + column] === 1
    // If both would do, the line is as on the old side.
    const isPresent = isFound && (!isLeftOut || sign === '-')
    if (isPresent) column += 1
    if (isPresent === (sign === '+') && sign !== ' ') taken.add(row)
  }
  return taken
}

/** Whether the lines have all changes of a hunk, or none. */
function takenWhole(hunk: ByteHunk, there: readonly string[]): LineSet | null {
  const isSame = (lines: readonly string[]): boolean =>
    lines.length === there.length && lines.every((line, index) => line === there[index])
  const all = new Set(changedLines(hunk))
  if (isSame(mixed(hunk, all))) return all
  return isSame(mixed(hunk, new Set())) ? new Set() : null
}

/** Lines of a file that stand in the place of others of an earlier state. `at` counts from 0. */
export type ReplacedLines = { at: number; length: number; wasLength: number }

/**
 * The lines of another state of the file that stand where a hunk stands in the present one; null if a difference of the two crosses the
 * hunk's bounds. `differences` lead from that state to the present one.
 */
export function rangeIn(hunk: ByteHunk, differences: readonly ReplacedLines[]): { from: number; to: number } | null {
  const [start, end] = [hunk.start, hunk.start + newLength(hunk)]
  const [first, last] = [hunk.lines[0]?.sign, hunk.lines.at(-1)?.sign]
  let [from, to] = [start, end]
  for (const { at, length, wasLength } of differences) {
    const shift = wasLength - length
    // Lines that are gone at a bound belong to the hunk only if its own changes reach to it.
    const isAtStart = length === 0 && at === start && first !== ' '
    const isAtEnd = length === 0 && at === end && last !== ' '
    const isBefore = at + length <= start && !isAtStart
    const isBehind = !isBefore && at >= end && !isAtEnd && !isAtStart
    if (isBehind) continue
    if (!isBefore && (at < start || at + length > end)) return null
    to += shift
    if (isBefore) from += shift
  }
  return { from, to }
}

/** What differs between two states of a file, from the hunks of their diff. */
export function replacedLines(hunks: readonly Hunk[]): ReplacedLines[] {
  const found: ReplacedLines[] = []
  for (const { lines } of hunks) {
    // Without lines on the new side the file is empty.
    let at = (lines.find(({ after }) => after !== null)?.after ?? 1) - 1
    let open: ReplacedLines | null = null
    for (const { sign } of lines) {
      if (sign === ' ') open = null
      else if (open === null) found.push((open = { at, length: 0, wasLength: 0 }))
      if (open && sign === '-') open.wasLength += 1
      if (open && sign === '+') open.length += 1
      if (sign !== '-') at += 1
    }
  }
  return found
}

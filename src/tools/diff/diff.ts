/**
 * The diff of an edit as rows, with line numbers if known, and reduced to real changes: a tool that compares lines with
 * their `\r` reports every line of a CRLF file as changed.
 */
import { diffArrays } from 'diff'
import { hunksOf, withoutReturn, type EditLine } from '../../conversation/queries/edit-result.ts'

export type DiffRow = {
  sign: ' ' | '-' | '+'
  /** Without its newline and `\r`. */
  text: string
  /** The line number, in the old file for a removed line, in the new one for any other; null if unknown. */
  number: number | null
}

export type Diff = {
  hunks: readonly (readonly DiffRow[])[]
  added: number
  removed: number
}

/** Unchanged lines kept around a change. */
const CONTEXT = 3
/** With more changes than this, all of the old text is shown as removed and all of the new as added. */
const MOST_CHANGES = 500
/** Lines of an unfinished edit that are compared for every frame. */
const MOST_COMPARED = 100

/** Parses an edit's result; null if it is no diff. `starts` are the lines at which its hunks begin. */
export function readDiff(result: string, starts: readonly (number | null)[]): Diff | null {
  const told = hunksOf(result)
  if (!told) return null
  let shift = 0
  const hunks = told.flatMap((lines, index) => {
    const rows = numbered(withoutReturns(lines), startOf(lines, index, starts), shift)
    shift += count(rows, '+') - count(rows, '-')
    return split(rows)
  })
  // The final newline of the file would make one line too many.
  const last = hunks.at(-1)
  if (last?.at(-1)?.sign === ' ' && last.at(-1)?.text === '') last.pop()
  const rows = hunks.flat()
  return { hunks, added: count(rows, '+'), removed: count(rows, '-') }
}

/** A text before and after a change, and the line of the new file at which it begins; null if unknown. */
export type TextChange = { before: string; after: string; start: number | null }

/** The diff of the parts of one file, in their order. */
export function diffOfTexts(parts: readonly TextChange[]): Diff {
  let shift = 0
  const hunks = parts.flatMap(({ before, after, start }) => {
    const rows = numbered(compare(linesOf(before), linesOf(after)), start, shift)
    shift += count(rows, '+') - count(rows, '-')
    return split(rows)
  })
  const rows = hunks.flat()
  return { hunks, added: count(rows, '+'), removed: count(rows, '-') }
}

/** The diff of two texts, without numbers; long ones are shown as removed and added as a whole. */
export function compareTexts(before: string, after: string): DiffRow[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  return numbered(old.length + fresh.length > MOST_COMPARED ? replaced(old, fresh) : compare(old, fresh), null, 0)
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map(withoutReturn)
}

function count(rows: readonly DiffRow[], sign: DiffRow['sign']): number {
  return rows.filter(row => row.sign === sign).length
}

function startOf(lines: readonly EditLine[], index: number, starts: readonly (number | null)[]): number | null {
  const start = starts[index]
  if (start !== undefined && start !== null) return start
  // Less context than usual before the first change marks the beginning of the file.
  return index === 0 && lines.findIndex(line => line.sign !== ' ') < CONTEXT ? 1 : null
}

function withoutReturns(lines: readonly EditLine[]): EditLine[] {
  const plain = lines.map(line => ({ sign: line.sign, text: withoutReturn(line.text) }))
  if (!lines.some(line => line.text.endsWith('\r'))) return plain
  const side = (gone: EditLine['sign']): string[] => plain.flatMap(line => (line.sign === gone ? [] : [line.text]))
  return compare(side('+'), side('-'))
}

function compare(before: string[], after: string[]): EditLine[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGES })
  if (!changes) return replaced(before, after)
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): EditLine => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  )
}

function replaced(before: readonly string[], after: readonly string[]): EditLine[] {
  return [
    ...before.map((text): EditLine => ({ sign: '-', text })),
    ...after.map((text): EditLine => ({ sign: '+', text })),
  ]
}

/** Numbers the rows; `shift` is the number of lines that the new file has gained before them. */
function numbered(lines: readonly EditLine[], start: number | null, shift: number): DiffRow[] {
  let after = start ?? 0
  let before = after - shift
  return lines.map(({ sign, text }) => {
    const number = sign === '-' ? before : after
    if (sign !== '+') before += 1
    if (sign !== '-') after += 1
    return { sign, text, number: start === null ? null : number }
  })
}

/** Drops rows beyond the context of any change, and splits there. */
function split(rows: readonly DiffRow[]): DiffRow[][] {
  const near = new Set<number>()
  for (const [at, row] of rows.entries()) {
    if (row.sign === ' ') continue
    for (let index = at - CONTEXT; index <= at + CONTEXT; index += 1) near.add(index)
  }
  const hunks: DiffRow[][] = []
  for (const [at, row] of rows.entries()) {
    if (!near.has(at)) continue
    if (!near.has(at - 1) || hunks.length === 0) hunks.push([])
    hunks.at(-1)?.push(row)
  }
  return hunks
}

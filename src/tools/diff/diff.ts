/**
 * The diff of an edit as rows, with line numbers if known, and reduced to real changes: a tool that compares lines with
 * their `\r` reports every line of a CRLF file as changed.
 */
import { diffArrays } from 'diff'
import { hunksOf, withoutReturn } from '../../conversation/queries/edit-result.ts'
import { unnumbered, type DiffLine } from '../../text/diff-line.ts'

export type Diff = {
  hunks: readonly (readonly DiffLine[])[]
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
  const reported = hunksOf(result)
  if (!reported) return null
  let shift = 0
  const hunks = reported.flatMap((lines, index) => {
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
export function compareTexts(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  return old.length + fresh.length > MOST_COMPARED ? replaced(old, fresh) : compare(old, fresh)
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map(withoutReturn)
}

function count(rows: readonly DiffLine[], sign: DiffLine['sign']): number {
  return rows.filter(row => row.sign === sign).length
}

function startOf(lines: readonly DiffLine[], index: number, starts: readonly (number | null)[]): number | null {
  const start = starts[index]
  if (start !== undefined && start !== null) return start
  // Less context than usual before the first change marks the beginning of the file.
  return index === 0 && lines.findIndex(line => line.sign !== ' ') < CONTEXT ? 1 : null
}

function withoutReturns(lines: readonly DiffLine[]): DiffLine[] {
  const plain = lines.map(line => unnumbered(line.sign, withoutReturn(line.text)))
  if (!lines.some(line => line.text.endsWith('\r'))) return plain
  const side = (gone: DiffLine['sign']): string[] => plain.flatMap(line => (line.sign === gone ? [] : [line.text]))
  return compare(side('+'), side('-'))
}

function compare(before: string[], after: string[]): DiffLine[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGES })
  if (!changes) return replaced(before, after)
  return changes.flatMap(({ value, added, removed }) =>
    value.map(text => unnumbered(added ? '+' : removed ? '-' : ' ', text)),
  )
}

function replaced(before: readonly string[], after: readonly string[]): DiffLine[] {
  return [...before.map(text => unnumbered('-', text)), ...after.map(text => unnumbered('+', text))]
}

/** Numbers the lines; `shift` is the number of lines that the new file has gained before them. */
function numbered(lines: DiffLine[], start: number | null, shift: number): DiffLine[] {
  if (start === null) return lines
  let after = start
  let before = after - shift
  return lines.map(({ sign, text }) => ({
    sign,
    text,
    before: sign === '+' ? null : before++,
    after: sign === '-' ? null : after++,
  }))
}

/** Drops rows beyond the context of any change, and splits there. */
function split(rows: readonly DiffLine[]): DiffLine[][] {
  const near = new Set<number>()
  for (const [at, row] of rows.entries()) {
    if (row.sign === ' ') continue
    for (let index = at - CONTEXT; index <= at + CONTEXT; index += 1) near.add(index)
  }
  const hunks: DiffLine[][] = []
  for (const [at, row] of rows.entries()) {
    if (!near.has(at)) continue
    if (!near.has(at - 1) || hunks.length === 0) hunks.push([])
    hunks.at(-1)?.push(row)
  }
  return hunks
}

/** The two diffs of a change: one for the model, one for the user. */
import { createTwoFilesPatch, diffArrays } from 'diff'
import { diffSide, unnumbered, type DiffLine } from '../text/diff-line.ts'

/** The size limit of the table for the model's diff, in cells. */
const MOST_CELLS = 4_000_000
const CONTEXT = 3
/** The time limit of the search for the shortest diff, in milliseconds. */
const LIMIT = 500

/**
 * The diff that an agent's `edit` answers with: rows that begin with a space, `-` or `+`, three lines of context, `...` for omitted
 * lines, no header and no numbers.
 */
export function contextDiff(before: string, after: string): string {
  if (before === after) return ''
  const rows = rowsOf(before.split('\n'), after.split('\n'))
  const isKept = new Uint8Array(rows.length)
  for (const [index, { sign }] of rows.entries()) {
    if (sign !== ' ') isKept.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  let diff = ''
  for (const [index, { sign, text }] of rows.entries()) {
    if (isKept[index] === 1) {
      // zot writes one such row where it stops, and one where it continues.
      if (isKept[index - 1] === 0 && diff !== '') diff += '...\n'
      diff += `${sign}${text}\n`
    } else if (isKept[index - 1] === 1) diff += '...\n'
  }
  return diff
}

/** The rows of both files. Where several diffs are equally short, the choice is zot's, as far as the table fits. */
function rowsOf(before: readonly string[], after: readonly string[]): DiffLine[] {
  let [a, b] = [before.length, after.length]
  const tail: DiffLine[] = []
  while (a > 0 && b > 0 && before[a - 1] === after[b - 1]) {
    tail.push(unnumbered(' ', before[a - 1] ?? ''))
    a -= 1
    b -= 1
  }
  let head = 0
  if (a * b > MOST_CELLS) while (head < Math.min(a, b) && before[head] === after[head]) head += 1
  const first = before.slice(0, head).map(line => unnumbered(' ', line))
  const [left, right] = [before.slice(head, a), after.slice(head, b)]
  const middle = left.length * right.length > MOST_CELLS ? foundRows(left, right) : tableRows(left, right)
  return [...first, ...middle, ...tail.toReversed()]
}

/** The longest common subsequence by a table, read from its end; of equal ways the one that adds last. */
function tableRows(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1
  const length = new Uint32Array((before.length + 1) * width)
  for (let i = 0; i < before.length; i += 1) {
    for (let j = 0; j < after.length; j += 1) {
      const at = (i + 1) * width + j + 1
      const isSame = before[i] === after[j]
      length[at] = isSame ? (length[at - width - 1] ?? 0) + 1 : Math.max(length[at - width] ?? 0, length[at - 1] ?? 0)
    }
  }
  const rows: DiffLine[] = []
  let [i, j] = [before.length, after.length]
  while (i > 0 || j > 0) {
    const at = i * width + j
    if (i > 0 && j > 0 && before[i - 1] === after[j - 1]) {
      rows.push(unnumbered(' ', before[i - 1] ?? ''))
      i -= 1
      j -= 1
    } else if (j > 0 && (i === 0 || (length[at - 1] ?? 0) >= (length[at - width] ?? 0))) {
      rows.push(unnumbered('+', after[j - 1] ?? ''))
      j -= 1
    } else {
      rows.push(unnumbered('-', before[i - 1] ?? ''))
      i -= 1
    }
  }
  return rows.toReversed()
}

/** For large files: a shortest diff, or all lines replaced where finding one takes too long. */
function foundRows(before: readonly string[], after: readonly string[]): DiffLine[] {
  const parts = diffArrays([...before], [...after], { timeout: LIMIT })
  if (!parts) {
    return [...before.map(line => unnumbered('-', line)), ...after.map(line => unnumbered('+', line))]
  }
  return parts.flatMap(({ added, removed, value }) =>
    value.map(line => unnumbered(added ? '+' : removed ? '-' : ' ', line)),
  )
}

/**
 * The unified diff of a change, as the user sees it. `before` is null for a new file, and 'long' for one that is too long to be
 * compared. What is added is always shown, also where it looks binary: a NUL must not hide a line from the user.
 */
export function unifiedDiff(name: string, before: Buffer | 'long' | null, after: Buffer): string {
  const [from, to] = [before === null ? '/dev/null' : headName('a', name), headName('b', name)]
  const fresh = after.toString('utf8')
  if (before === 'long')
    return `${from} is too long to be compared. It is replaced by:\n${replacedWhole(from, to, '', fresh)}`
  if (before === null) return replacedWhole(from, to, '', fresh)
  if (before.equals(after)) return ''
  if (isBinary(before)) return `${from} is binary. It is replaced by:\n${replacedWhole(from, to, '', fresh)}`
  const old = before.toString('utf8')
  const options = { context: CONTEXT, timeout: LIMIT, headerOptions: FILE_HEADERS_ONLY } as const
  return createTwoFilesPatch(from, to, old, fresh, '', '', options) ?? replacedWhole(from, to, old, fresh)
}

/** The lines that a unified diff of one file adds and removes. */
export function changedLines(diff: string): { added: number; removed: number } {
  const hunks = diff.slice(Math.max(0, diff.search(/^@@/m))).split('\n')
  const count = (sign: string): number => hunks.filter(line => line.startsWith(sign)).length
  return diff.search(/^@@/m) < 0 ? { added: 0, removed: 0 } : { added: count('+'), removed: count('-') }
}

function headName(side: 'a' | 'b', name: string): string {
  const quoted = /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name
  return diffSide(side, name) === name ? quoted : `${side}/${quoted}`
}

const FILE_HEADERS_ONLY = { includeIndex: false, includeUnderline: false, includeFileHeaders: true } as const

export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8192).includes(0)

function replacedWhole(from: string, to: string, before: string, after: string): string {
  const [old, fresh] = [signed(before, '-'), signed(after, '+')]
  const hunk = old.length + fresh.length > 0 ? [`@@ -${range(old)} +${range(fresh)} @@`, ...old, ...fresh] : []
  return [`--- ${from}`, `+++ ${to}`, ...hunk, ''].join('\n')
}

function range(rows: readonly string[]): string {
  const count = rows.filter(row => !row.startsWith('\\')).length
  return `${count > 0 ? 1 : 0},${count}`
}

function signed(text: string, sign: string): string[] {
  if (text === '') return []
  const rows = text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => sign + line)
  return text.endsWith('\n') ? rows : [...rows, '\\ No newline at end of file']
}

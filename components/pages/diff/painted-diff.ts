/** The lines of a diff, drawn in chunks: of a hundred thousand rows only the visible ones. */
import { LineFollower, linesOfSide } from '../../../src/review/follow.ts'
import type { FileDiff, StagedPart } from '../../../src/tools/diff/change.ts'
import { numberOf, type DiffLine } from '../../../src/text/diff-line.ts'
import { languageOfPath } from '../../../src/markdown/code/highlight.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { colouredRows, rowLines, type ColouredRow } from '../../../src/tools/diff/lines.ts'
import { drawn, empty, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'

export type DiffLook = { theme: Theme; width: number; isSplit: boolean; isWrapped: boolean }

/**
 * A row of the diff itself: the heading of a hunk, a line of it, or the words of a file that has no lines to show. `left` and `right`
 * are the same line if it did not change; a single column uses only `left`.
 */
export type PaintedRow = {
  kind: 'head' | 'line' | 'words'
  hunk: number | null
  left: DiffLine | null
  right: DiffLine | null
}

/** The rows of the lines, and of their numbers in the file before and after. */
type RowFinder = { ofLine: Map<DiffLine, number>; before: Map<number, number>; after: Map<number, number> }

/** Rows drawn together: their colours and changed words depend on each other. */
const CHUNK = 120
const MOST_CHUNKS = 60
/** Characters of one line that are drawn if it is wrapped, and if it is cut. */
const MOST_BROKEN = 20_000
const MOST_CUT = 2000
/** Columns between the two sides. */
const BETWEEN = 3

const STAGED: Readonly<Record<StagedPart, string>> = { all: 'staged', some: 'staged in part', none: '' }

export class PaintedDiff {
  readonly rows: readonly PaintedRow[]
  readonly #diff: FileDiff
  readonly #path: string
  readonly #look: DiffLook
  readonly #words: readonly string[]
  readonly #digits: number
  /** The first row of each hunk. */
  readonly #heads: readonly number[]
  readonly #chunks = new Map<number, Styled[][]>()
  /** Finds rows by their lines. Made when a row is first looked for. */
  #finder: RowFinder | null = null
  readonly #followers = new Map<'before' | 'after', LineFollower>()

  /** `words` stand in place of lines if there are none. */
  constructor(diff: FileDiff, path: string, look: DiffLook, words: readonly string[]) {
    this.#diff = diff
    this.#path = path
    this.#look = look
    this.#words = words
    const rows = diff.hunks.flatMap(({ lines }, hunk) => {
      const head: PaintedRow = { kind: 'head', hunk, left: null, right: null }
      const rest = look.isSplit ? pairs(lines) : lines.map(line => ({ left: line, right: null }))
      return [head, ...rest.map(({ left, right }): PaintedRow => ({ kind: 'line', hunk, left, right }))]
    })
    this.rows = rows.length > 0 ? rows : [{ kind: 'words', hunk: null, left: null, right: null }]
    this.#heads = [...this.rows.entries()].flatMap(([index, { kind }]) => (kind === 'head' ? [index] : []))
    let highest = 0
    for (const { lines } of diff.hunks) {
      for (const { before, after } of lines) highest = Math.max(highest, before ?? 0, after ?? 0)
    }
    this.#digits = highest === 0 ? 0 : String(highest).length
  }

  get hunks(): number {
    return this.#diff.hunks.length
  }

  /** The index of the row at which a hunk begins; a number that is too high means the last one. */
  headOf(hunk: number): number {
    return this.#heads[Math.min(hunk, this.hunks - 1)] ?? 0
  }

  /** The first row of a hunk that shows a changed line. */
  firstChangeOf(hunk: number): number {
    const head = this.headOf(hunk)
    for (let at = head + 1; this.rows[at]?.kind === 'line'; at += 1) if (isChanged(this.rows[at])) return at
    return head
  }

  /** Whether drawing a row costs nothing. */
  isDrawn(index: number): boolean {
    const row = this.rows[index]
    return row?.kind !== 'line' || row.hunk === null || this.#chunks.has(this.#chunkOf(index, row.hunk))
  }

  /** The first row of a chunk. Chunks begin at their hunk's first row, so that no chunk spans two hunks. */
  #chunkOf(index: number, hunk: number): number {
    const first = this.headOf(hunk) + 1
    return first + Math.floor((index - first) / CHUNK) * CHUNK
  }

  /** The row of a line, -1 for none; in a diff that was read again, the row of an equal line at the same place. */
  rowOf(line: DiffLine, hunk: number): number {
    // Nearly always it is in its hunk, and no finder has to be made for that.
    for (let at = this.headOf(hunk) + 1; this.rows[at]?.kind === 'line'; at += 1) {
      const row = this.rows[at]
      if (row?.left === line || row?.right === line) return at
    }
    const exact = this.#rowFinder().ofLine.get(line)
    if (exact !== undefined) return exact
    // Old lines keep their old number, whatever is added above them.
    const side = line.before === null ? 'after' : 'before'
    const same = this.rowOfNumber(side, line[side])
    const { left = null, right = null } = this.rows[same] ?? {}
    return [left, right].some(each => each?.sign === line.sign && each.text === line.text) ? same : -1
  }

  /** The row of the line with this number in the file before or after, -1 for none. */
  rowOfNumber(side: 'before' | 'after', number: number | null): number {
    return number === null ? -1 : (this.#rowFinder()[side].get(number) ?? -1)
  }

  /** The lines of the file before or after, in their order, with their rows. */
  sideLines(side: 'before' | 'after'): { line: DiffLine; row: number }[] {
    const other = side === 'after' ? '-' : '+'
    return this.rows.flatMap(({ left, right }, row) => {
      const line = [right, left].find(each => each && each.sign !== other)
      return line ? [{ line, row }] : []
    })
  }

  /** Follows comments in the lines of the file before or after that have numbers. */
  follower(side: 'before' | 'after'): LineFollower {
    const follower = this.#followers.get(side) ?? new LineFollower(linesOfSide(this.#diff.hunks, side))
    this.#followers.set(side, follower)
    return follower
  }

  #rowFinder(): RowFinder {
    if (this.#finder) return this.#finder
    const finder: RowFinder = { ofLine: new Map(), before: new Map(), after: new Map() }
    for (const [index, { left, right }] of this.rows.entries()) {
      for (const line of left === right ? [left] : [left, right]) {
        if (!line) continue
        finder.ofLine.set(line, index)
        if (line.before !== null) finder.before.set(line.before, index)
        if (line.after !== null) finder.after.set(line.after, index)
      }
    }
    return (this.#finder = finder)
  }

  /** A drawn row: one line, or more if long lines are wrapped. */
  linesOf(index: number): readonly Styled[] {
    const row = this.rows[index]
    if (!row) return []
    if (row.hunk === null) return this.#wordLines()
    if (row.kind === 'head') return [this.#headLine(row.hunk)]
    const from = this.#chunkOf(index, row.hunk)
    const known = this.#chunks.get(from)
    if (known) return known[index - from] ?? []
    if (this.#chunks.size >= MOST_CHUNKS) this.#chunks.clear()
    const drawnNow = this.#draw(from, row.hunk)
    this.#chunks.set(from, drawnNow)
    return drawnNow[index - from] ?? []
  }

  #wordLines(): Styled[] {
    const { theme, width } = this.#look
    return this.#words.flatMap(text =>
      wrap(oneLine(sanitize(text)), Math.max(1, width - 1)).map(line => theme.dim(line)),
    )
  }

  #headLine(hunk: number): Styled {
    const { theme } = this.#look
    const { title, lines, staged = 'none' } = this.#diff.hunks[hunk] ?? { title: '', lines: [] }
    const at = lines.find(({ after }) => after !== null)?.after ?? lines[0]?.before ?? null
    const words = [title, at === null ? '' : `line ${at}`, STAGED[staged]].filter(part => part !== '').join(', ')
    // Nothing precedes the first line.
    const gap = at === 1 ? '' : theme.markdown.unicode ? '⋯ ' : '... '
    return theme.dim(sanitize(`${gap}${words}`))
  }

  #draw(from: number, hunk: number): Styled[][] {
    const rows: PaintedRow[] = []
    for (let at = from; at < from + CHUNK; at += 1) {
      const row = this.rows[at]
      if (!row || row.hunk !== hunk || row.kind === 'head') break
      rows.push(row)
    }
    return this.#look.isSplit
      ? this.#drawPairs(rows)
      : this.#paint(this.#coloured(rows.flatMap(({ left }) => left ?? [])), numberOf)
  }

  #coloured(lines: readonly DiffLine[]): ColouredRow[] {
    const { theme, isWrapped } = this.#look
    const most = isWrapped ? MOST_BROKEN : MOST_CUT
    return colouredRows(
      lines.map(line => (line.text.length <= most ? line : { ...line, text: line.text.slice(0, most) })),
      { theme, language: languageOfPath(this.#path) },
    )
  }

  #paint(rows: readonly ColouredRow[], number: (row: DiffLine) => number | null): Styled[][] {
    const { theme, isWrapped, isSplit, width } = this.#look
    const look = { theme, width: isSplit ? sideWidth(width) : width, indent: 0, wrapped: isWrapped }
    return rowLines(rows, width < NUMBERS_FROM ? 0 : this.#digits, look, number)
  }

  /** Colours both sides together, so that each marks its changed words. */
  #drawPairs(rows: readonly PaintedRow[]): Styled[][] {
    const { theme, width } = this.#look
    const lines = inOrder(rows)
    const coloured = this.#coloured(lines)
    const side = (without: '+' | '-', number: (row: DiffLine) => number | null): Map<DiffLine, Styled[]> => {
      const painted = new Map<DiffLine, Styled[]>()
      const shown = [...lines.entries()].filter(([, { sign }]) => sign !== without)
      const rowsOf = this.#paint(
        shown.flatMap(([index]) => coloured[index] ?? []),
        number,
      )
      for (const [at, [, line]] of shown.entries()) painted.set(line, rowsOf[at] ?? [])
      return painted
    }
    const [left, right] = [side('+', ({ before }) => before), side('-', numberOf)]
    const bar = theme.dim(sanitize(theme.markdown.unicode ? '│' : '|'))
    return rows.map(row => {
      const [before, after] = [cell(left, row.left), cell(right, row.right)]
      const height = Math.max(before.length, after.length, 1)
      return Array.from({ length: height }, (_, at) => {
        const [one, other] = [before[at] ?? empty, after[at] ?? empty]
        return drawn`${padded(one, sideWidth(width))} ${bar} ${other}`
      })
    })
  }
}

function cell(painted: ReadonlyMap<DiffLine, Styled[]>, line: DiffLine | null): readonly Styled[] {
  return line === null ? [] : (painted.get(line) ?? [])
}

/** Below this width the numbers would take the room of the text. */
const NUMBERS_FROM = 30

function sideWidth(width: number): number {
  return Math.max(1, Math.floor((width - BETWEEN) / 2))
}

function padded(text: Styled, width: number): Styled {
  return drawn`${text}${sanitize(' '.repeat(Math.max(0, width - displayWidth(text))))}`
}

/** Pairs removed lines with the lines that replaced them. */
function pairs(lines: readonly DiffLine[]): Pick<PaintedRow, 'left' | 'right'>[] {
  const found: Pick<PaintedRow, 'left' | 'right'>[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line?.sign === ' ') {
      found.push({ left: line, right: line })
      at += 1
      continue
    }
    const removed = run(lines, at, '-')
    const added = run(lines, at + removed.length, '+')
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      found.push({ left: removed[index] ?? null, right: added[index] ?? null })
    }
    at += Math.max(1, removed.length + added.length)
  }
  return found
}

function run(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): DiffLine[] {
  let to = from
  while (lines[to]?.sign === sign) to += 1
  return lines.slice(from, to)
}

/** The lines of some rows in the order of a single column. */
export function inOrder(rows: readonly Pick<PaintedRow, 'left' | 'right'>[]): DiffLine[] {
  const lines: DiffLine[] = []
  let waiting: DiffLine[] = []
  for (const { left, right } of rows) {
    if (left?.sign === ' ') {
      lines.push(...waiting, left)
      waiting = []
      continue
    }
    if (left) lines.push(left)
    if (right) waiting.push(right)
  }
  return [...lines, ...waiting]
}

function isChanged(row: PaintedRow | undefined): boolean {
  return (row?.left ?? row?.right)?.sign !== ' '
}

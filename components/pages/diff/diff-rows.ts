/** The rows of a file: those of its diff, and the notes that stand below some of them, such as comments. */
import type { ReviewComment } from '../../../src/review/comment.ts'
import type { Styled } from '../../../src/style/styled.ts'
import type { PaintedDiff, PaintedRow } from './painted-diff.ts'
import type { DiffPlace } from './state.ts'

/** What stands below a line of the diff, or above all of it. */
export type DiffNote = {
  /** Unique in the file, and the same when the notes are made again. */
  key: string
  /** The row of the diff above it; -1 for a note above the first row. */
  below: number
  comment: ReviewComment
  lines: () => readonly Styled[]
}

export type DiffPageRow = Omit<PaintedRow, 'kind'> & { kind: PaintedRow['kind'] | 'note'; note: DiffNote | null }

export class DiffRows {
  readonly length: number
  readonly painted: PaintedDiff
  /** In the order of the rows. */
  readonly notes: readonly DiffNote[]

  constructor(painted: PaintedDiff, notes: readonly DiffNote[]) {
    this.painted = painted
    this.notes = notes.toSorted((one, other) => one.below - other.below)
    this.length = painted.rows.length + notes.length
  }

  get hunks(): number {
    return this.painted.hunks
  }

  row(index: number): DiffPageRow | null {
    const { note, below } = this.#at(index)
    const row = this.painted.rows[below]
    if (note) return { kind: 'note', hunk: row?.hunk ?? null, left: null, right: null, note }
    return row ? { ...row, note: null } : null
  }

  /** The row of the diff at a row of the screen, or the one above a note. */
  below(index: number): number {
    return this.#at(index).below
  }

  /** A drawn row: one line, or more if long lines are wrapped. */
  linesOf(index: number): readonly Styled[] {
    const { note, below } = this.#at(index)
    return note ? note.lines() : this.painted.linesOf(below)
  }

  /** The index of the row at which a hunk begins. */
  headOf(hunk: number): number {
    return this.#indexOf(this.painted.headOf(hunk))
  }

  /** The place of a row, and of a line in it if it is wrapped. */
  placeOf(index: number, line = 0): DiffPlace {
    const { note, below } = this.#at(index)
    const { hunk = null, left = null, right = null } = this.painted.rows[below] ?? {}
    return { hunk, line: left ?? right, note: note?.key ?? null, row: line }
  }

  /** The row of a place; if its line no longer exists, the heading of its hunk. `isThere` says whether it is the same one. */
  find({ hunk, line, note }: DiffPlace): { row: number; isThere: boolean } {
    const noted = note === null ? -1 : this.notes.findIndex(({ key }) => key === note)
    if (noted >= 0) return { row: (this.notes[noted]?.below ?? -1) + 1 + noted, isThere: true }
    if (hunk === null) return { row: 0, isThere: true }
    if (line === 'change') return { row: this.#indexOf(this.painted.firstChangeOf(hunk)), isThere: true }
    const row = line ? this.painted.rowOf(line, hunk) : -1
    return row < 0 ? { row: this.headOf(hunk), isThere: false } : { row: this.#indexOf(row), isThere: note === null }
  }

  /** The row of the screen for a row of the diff. */
  #indexOf(painted: number): number {
    return painted + this.#notesBefore(painted)
  }

  /** The number of notes above a row of the diff. */
  #notesBefore(painted: number): number {
    const found = this.notes.findIndex(({ below }) => below >= painted)
    return found < 0 ? this.notes.length : found
  }

  /** The note at a row, and the row of the diff that it stands below; or a row of the diff. */
  #at(index: number): { note: DiffNote | null; below: number } {
    let [low, high] = [0, this.notes.length]
    // The number of notes whose own row is not below this one.
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.notes[middle]?.below ?? 0) + 1 + middle <= index) low = middle + 1
      else high = middle
    }
    const note = this.notes[low - 1]
    if (note && note.below + low === index) return { note, below: note.below }
    return { note: null, below: index - low }
  }
}

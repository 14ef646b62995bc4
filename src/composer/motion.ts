/** The targets of caret movements. */
import { nextBoundary, previousBoundary } from './graphemes.ts'
import { offsetAt, rowAt, rowCount } from './layout.ts'
import { wordEnd, wordStart } from './word-bounds.ts'

export type Motion =
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  /** The row's start; from there, the logical line's. */
  | 'lineStart'
  /** The row's end; from there, the logical line's. On a row that wraps, its end is before its last character. */
  | 'lineEnd'
  | 'up'
  | 'down'
  | 'textStart'
  | 'textEnd'

export interface Caret {
  readonly caret: number
  /** The column that moving up and down tries to keep; null until it begins. */
  readonly column: number | null
}

/** The caret's new offset. At the edge of the text it stays. */
export function moved(text: string, from: Caret, motion: Motion, width: number): Caret {
  if (motion === 'up' || motion === 'down') return movedByRow(text, from, motion === 'up' ? -1 : 1, width)
  return { caret: destination(text, from.caret, motion, width), column: null }
}

function movedByRow(text: string, from: Caret, rows: number, width: number): Caret {
  const here = rowAt(text, from.caret, width)
  const row = here.row + rows
  if (row < 0 || row >= rowCount(text, width)) return from
  const column = from.column ?? here.column
  return { caret: offsetAt(text, row, column, width), column }
}

function destination(text: string, from: number, motion: Exclude<Motion, 'up' | 'down'>, width: number): number {
  switch (motion) {
    case 'left':
      return previousBoundary(text, from)
    case 'right':
      return nextBoundary(text, from)
    case 'wordLeft':
      return wordStart(text, from)
    case 'wordRight':
      return wordEnd(text, from)
    case 'lineStart': {
      const row = rowAt(text, from, width)
      return from > row.start ? row.start : lineStart(text, from)
    }
    case 'lineEnd': {
      const row = rowAt(text, from, width)
      const rowEnd = row.wraps ? previousBoundary(text, row.end) : row.end
      return from < rowEnd ? rowEnd : lineEnd(text, from)
    }
    case 'textStart':
      return 0
    case 'textEnd':
      return text.length
  }
}

/** The start of the logical line that `at` is in. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** The end of the logical line that `at` is in: its newline, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline
}

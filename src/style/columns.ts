/** The columns beside the names of a list: the same in every row, as many as fit. */
import type { SafeText } from '../text/sanitize.ts'
import { sanitize } from '../text/sanitize.ts'
import { truncate, type Ellipsis } from '../text/lines/shorten.ts'
import { displayWidth } from '../text/lines/width.ts'
import { fitting, GAP } from './facts-line.ts'
import { joinStyled, type Styled } from './styled.ts'

export type Column<Row> = {
  cell: (row: Row) => SafeText
  /** Columns that do not fit are dropped in all rows, the highest rank first. */
  rank: number
  /** Whether its cells are aligned to the right. */
  isNumber?: boolean
  /** The most columns of the screen that it takes; longer cells are cut. */
  most?: number
}

export type Columns<Row> = {
  /** The cells of a row, each as wide as its column. */
  line: (row: Row) => Styled
  /** The width of all shown columns with the gaps between them. */
  width: number
  /** Whether the column with this index fits, and has text. */
  shows: (at: number) => boolean
}

/** The columns in at most `room` columns of the screen together; their widths are those of all rows. */
export function createColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { room, ellipsis }: { room: number; ellipsis: Ellipsis },
): Columns<Row> {
  const widest = columns.map(({ cell, rank, isNumber = false, most = Infinity }) => {
    const width = Math.min(
      most,
      rows.reduce((sum, row) => Math.max(sum, displayWidth(cell(row))), 0),
    )
    return { cell, rank, isNumber, width, text: sanitize(' '.repeat(width)) }
  })
  const kept = fitting(widest, room)
  const shown = widest.filter(column => column.width > 0 && kept.includes(column))
  return {
    line: row => {
      const cells = shown.map(({ cell, isNumber, width }) =>
        aligned(truncate(cell(row), width, ellipsis), width, isNumber),
      )
      return joinStyled(cells, GAP)
    },
    shows: at => shown.some(column => column === widest[at]),
    width: shown.reduce((sum, { width }) => sum + width, GAP.length * Math.max(0, shown.length - 1)),
  }
}

function aligned(text: SafeText, width: number, right: boolean): Styled {
  const blanks = sanitize(' '.repeat(Math.max(0, width - displayWidth(text))))
  return joinStyled(right ? [blanks, text] : [text, blanks])
}

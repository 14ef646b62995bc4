/** The answers to a question of zotui's own, as rows of its list. */
import { choiceRows, type ChoiceRow } from '../state/picker-rows.ts'
import type { ChoicePicker } from '../state/picker.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'
import { createColumns, type Columns } from '../style/columns.ts'
import { GAP } from '../style/facts.ts'
import { matchedName } from './matched.ts'
import { drawn, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { listKeys, rowsIn, ruleLine, windowOf, type RowWindow } from '../style/window.ts'

/** Lines at most of what is told of the chosen answer, and the rows that the list keeps beside them. */
const MOST_TOLD = 4
const LEAST_ROWS = 3
/** Columns of a fact at most, where the screen is no wider than usual. */
const MOST_FACT = 16

type Space = { theme: Theme; columns: number }

export function answerRows(picker: ChoicePicker, { theme, columns }: Space, room: number): RowWindow {
  const rows = choiceRows(picker)
  const widest = Math.max(0, ...rows.map(({ choice }) => displayWidth(oneLine(sanitize(choice.label)))))
  const hasDetails = rows.some(({ choice }) => choice.detail !== '')
  const labels = Math.min(widest, Math.max(8, hasDetails ? Math.floor(columns / 2) : columns - 5))
  const beside = Math.max(1, columns - labels - 7)
  const facts = factColumns(rows, { theme, columns }, beside)
  const told = toldLines(rows, picker.selected, {
    isCut: ({ choice }) => displayWidth(oneLine(sanitize(choice.detail))) > detailRoom(choice.facts, facts, beside),
    columns,
    most: room - 2 - Math.min(LEAST_ROWS, rows.length),
  })
  const { from, shown } = windowOf(rows, picker.selected, rowsIn(told.length === 0 ? room : room - told.length - 1))
  const lines = shown.map((row, index) => {
    const chosen = from + index === picker.selected
    const label = matchedName(row.choice.label, { positions: row.positions, chosen, width: labels }, theme)
    const mark = chosen ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
    return drawn`  ${mark} ${label}   ${theme.dim(besideLine(row, facts, { theme, room: beside }))}`
  })
  if (rows.length === 0) lines.push(theme.dim(sanitize('  none matches; Backspace widens the search')))
  if (told.length > 0) lines.push(ruleLine(theme, 4, columns))
  for (const line of told) lines.push(drawn`      ${theme.dim(line)}`)
  const count = rows.length > shown.length ? `${picker.selected + 1} of ${rows.length}` : ''
  return { lines, keys: listKeys(count) }
}

/** What stands in columns between the name of an answer and its detail; the first fact stays longest. */
function factColumns(rows: readonly ChoiceRow[], { theme, columns }: Space, room: number): Columns<ChoiceRow> {
  const count = Math.max(0, ...rows.map(({ choice }) => choice.facts?.length ?? 0))
  const each = Array.from({ length: count }, (_, at) => ({
    cell: ({ choice }: ChoiceRow) => oneLine(sanitize(choice.facts?.[at] ?? '')),
    rank: at,
    // The first is never without room.
    most: Math.min(room, Math.max(MOST_FACT, Math.floor(columns / 5))),
  }))
  return createColumns(rows, each, { room, ellipsis: theme.signs.ellipsis })
}

/** An answer without facts has their columns for its detail. */
function detailRoom(facts: readonly string[] | undefined, { width }: Columns<ChoiceRow>, room: number): number {
  return facts === undefined || width === 0 ? room : Math.max(0, room - width - GAP.length)
}

function besideLine(
  row: ChoiceRow,
  facts: Columns<ChoiceRow>,
  { theme, room }: { theme: Theme; room: number },
): Styled {
  const { choice } = row
  const left = detailRoom(choice.facts, facts, room)
  const detail = truncate(oneLine(sanitize(choice.detail)), left, theme.signs.ellipsis)
  if (choice.facts === undefined || facts.width === 0) return drawn`${detail}`
  return left === 0 ? facts.line(row) : drawn`${facts.line(row)}${sanitize(GAP)}${detail}`
}

/**
 * The chosen answer's whole detail where rows are cut: for each of them in so many lines as the longest needs, so that
 * nothing moves from one to the next.
 */
function toldLines(
  rows: readonly ChoiceRow[],
  selected: number,
  { isCut, columns, most }: { isCut: (row: ChoiceRow) => boolean; columns: number; most: number },
): SafeText[] {
  if (most < 1 || !rows.some(isCut)) return []
  const whole = rows.map(({ choice }) => wrap(oneLine(sanitize(choice.whole ?? choice.detail)), columns - 8))
  const count = Math.min(MOST_TOLD, most, Math.max(...whole.map(lines => lines.length)))
  return Array.from({ length: count }, (_, index) => whole[selected]?.[index] ?? sanitize(''))
}

/** A list below the composer as data: the screen draws its rows, and a screen reader reads them out. */
import { spoken } from '../../src/text/spoken.ts'
import { drawn, empty, indented, type Styled } from '../../src/style/styled.ts'
import { createColumns, type Column, type Columns } from '../../src/style/columns.ts'
import { keysLine, rowsIn, windowStart } from '../../src/style/list-window.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate, type Ellipsis } from '../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { matchedName } from '../../src/style/matched.ts'

/** A row with everything that it says; nothing is cut. */
export type ListRow = {
  name: SafeText
  /** The offsets in the name that match the filter. */
  positions: readonly number[]
  /** Its depth in the tree; 0 without a parent. */
  depth: number
  /** One for each column. None if the note takes their place. */
  facts: readonly SafeText[]
  /** Text after the facts. */
  note: SafeText
  /** True if the note may end after a clause. */
  endsEarly?: boolean
}

/** The places of the parts of the rows on a screen. */
export type RowLayout = {
  /** Columns of a row's name. */
  nameWidth: (row: ListRow) => number
  /** The text after the name. */
  beside: (row: ListRow) => Styled
  /** Lines about the selected row, for a list of `room` lines in all. */
  about: (room: number) => readonly Styled[]
}

export type RowList = {
  size: number
  selected: number
  /** The rows from one index up to another, or up to the last one. */
  rows: (from: number, to: number) => ListRow[]
  /** The sentence to show if there are no rows. */
  none: SafeText
  /** `rows` are those that decide on the widths. */
  layout: (rows: readonly ListRow[], columns: number) => RowLayout
  /** The key hints below `visible` rows, in a window of `columns` columns. */
  keys: (visible: number, columns: number) => readonly Fact[]
  /** Text that a screen reader reads out after the rows; a screen shows it beside the selected one. */
  aloud?: SafeText
  /** The answer to the last key, which takes the place of the key hints. */
  hint: string | null
}

/** A hint on how to find more rows, for the end of a message that there are none. */
export const widening = (names: KeyNames): string => keyed(names, '; {picker.erase} widens the search')

/** Columns before, between and after a name and the text beside it. */
export const MARGINS = 7
/** The number of first rows that decide on the widths, in addition to those around the selected one. */
const MEASURED = 500

/** Makes the rows of a list from its items when they are needed. */
export function rowsOf<Item>(items: readonly Item[], row: (item: Item) => ListRow): Pick<RowList, 'size' | 'rows'> {
  return { size: items.length, rows: (from, to) => items.slice(from, to).map(row) }
}

/** A name on one line. Its positions are dropped if sanitising changed it. */
export function nameOf(
  text: string,
  positions: readonly number[] = [],
  newline?: Theme['signs']['newline'],
): Pick<ListRow, 'name' | 'positions'> {
  const name = oneLine(sanitize(text), newline)
  return { name, positions: name === text ? positions : [] }
}

/** Columns that a name always has, at most three eighths of the screen: in 40 columns, why a session is marked and its age fit beside it. */
const LEAST_NAME = 30

/** The layout of rows with facts in columns beside the widest name, which takes what they leave. */
export function factsLayout(
  rows: readonly ListRow[],
  facts: readonly Omit<Column<ListRow>, 'cell'>[],
  { theme, columns }: { theme: Theme; columns: number },
): Omit<RowLayout, 'about'> {
  const room = Math.max(0, columns - Math.min(LEAST_NAME, Math.floor((columns * 3) / 8)) - MARGINS)
  const { width, line } = factColumns(rows, facts, { room, ellipsis: theme.signs.ellipsis })
  const widest = rows.reduce((most, row) => Math.max(most, indentOf(row) + displayWidth(row.name)), 0)
  const names = Math.min(widest, columns - MARGINS - width)
  return { nameWidth: row => Math.max(4, names - indentOf(row)), beside: line }
}

/** Texts about the selected row below a blank one, each on a line with `beside` columns for its name, which may be ''; without empty ones. */
export function aboutLines(
  texts: readonly (readonly [name: string, text: string, paint?: Theme['dim']])[],
  beside: number,
  { theme, columns }: { theme: Theme; columns: number },
): Styled[] {
  const { newline, ellipsis } = theme.signs
  const lines = texts
    .filter(([, text]) => text !== '')
    .map(([name, text, paint = theme.dim]) => {
      const words = truncate(oneLine(sanitize(text), newline), Math.max(1, columns - beside), ellipsis)
      if (name === '') return indented(beside, paint(words))
      return drawn`      ${theme.dim(padTo(sanitize(name), beside - 7))} ${paint(words)}`
    })
  return lines.length === 0 ? [] : [empty, ...lines]
}

/** With fewer rows than this, nothing is shown about the selected one. */
const ROOM_FOR_ABOUT = 7

/** Rows with two facts and their age, and below the list the texts about the selected one. */
export function agedLayout(
  rows: readonly ListRow[],
  texts: readonly (readonly [name: string, text: string])[],
  look: { theme: Theme; columns: number },
): RowLayout {
  const most = Math.floor(look.columns / 4)
  const facts = [
    { rank: 1, most },
    { rank: 2, most },
    { rank: 0, most, isNumber: true },
  ]
  const beside = 8 + texts.reduce((widest, [name]) => Math.max(widest, name.length), 0)
  return {
    ...factsLayout(rows, facts, look),
    about: room => (room < ROOM_FOR_ABOUT ? [] : aboutLines(texts, beside, look)),
  }
}

/** The columns for the facts of rows. */
export function factColumns(
  rows: readonly ListRow[],
  columns: readonly Omit<Column<ListRow>, 'cell'>[],
  space: { room: number; ellipsis: Ellipsis },
): Columns<ListRow> {
  const none = sanitize('')
  return createColumns(
    rows,
    columns.map((column, at) => ({ ...column, cell: ({ facts }) => facts[at] ?? none })),
    space,
  )
}

export const widestName = (rows: readonly ListRow[]): number =>
  rows.reduce((most, { name }) => Math.max(most, displayWidth(name)), 0)

/** Columns of a row's mark below its parent. */
const indentOf = ({ depth }: ListRow): number => Math.min(depth, 8) * 2

/** The list on a screen, in at most `room` lines. */
export function listLines(
  list: RowList,
  { theme, columns }: { theme: Theme; columns: number },
  room: number,
): Styled[] {
  const { size, selected } = list
  const near = windowStart(size, selected, rowsIn(room))
  const measured = list.rows(0, MEASURED)
  if (size > MEASURED) measured.push(...list.rows(near, near + rowsIn(room)))
  const layout = list.layout(measured, columns)
  const about = layout.about(room)
  const height = rowsIn(room - about.length)
  const from = windowStart(size, selected, height)
  const lines = list
    .rows(from, from + height)
    .map((row, index) => rowLine(row, from + index === selected, layout, theme))
  const keys = list.keys(lines.length, columns)
  if (size === 0) lines.push(theme.dim(drawn`  ${list.none}`))
  lines.push(...about)
  if (list.hint !== null)
    lines.push(drawn`  ${truncate(oneLine(sanitize(list.hint)), columns - 2, theme.signs.ellipsis)}`)
  else if (keys.length > 0) lines.push(keysLine(keys, { theme, columns }))
  return lines
}

function rowLine(row: ListRow, chosen: boolean, { nameWidth, beside }: RowLayout, theme: Theme): Styled {
  const { signs, accent, dim } = theme
  const mark = chosen ? accent(sanitize(signs.chosen)) : drawn` `
  const branch = sanitize(row.depth === 0 ? '' : `${' '.repeat(indentOf(row) - 2)}${signs.branch} `)
  const name = drawn`  ${mark} ${dim(branch)}${matchedName(row, { chosen, width: nameWidth(row) }, theme)}`
  const right = beside(row)
  return displayWidth(right) === 0 ? name : drawn`${name}   ${dim(right)}`
}

/** A row in words, for a screen reader. */
export function spokenRow({ name, depth, facts, note }: ListRow): SafeText {
  return spoken([name, sanitize(depth > 0 ? 'fork' : ''), ...facts, note])
}

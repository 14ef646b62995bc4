/** The answers to a question of zotui's own, as a list. */
import { rank } from '../../src/composer/ranking.ts'
import type { Choice, ChoicePicker } from '../../src/state/pickers/picker.ts'
import type { KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { firstClauses, wholeWords } from '../../src/text/lines/clauses.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { GAP } from '../../src/style/facts-line.ts'
import { drawn, empty } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { listKeys } from '../../src/style/list-window.ts'
import {
  factColumns,
  MARGINS,
  nameOf,
  rowsOf,
  widening,
  widestName,
  type RowList,
  type ListRow,
  type RowLayout,
} from './list.ts'
import type { PickerSpec } from './picker-spec.ts'

export const answers: PickerSpec<'choice'> = {
  title: ({ title }) => title,
  size: picker => choiceRows(picker).length,
  filter: (picker, filter) => ({ ...picker, filter, selected: 0 }),
  shownFilter,
  rows: (picker, { keyNames }, theme) => answerList(picker, keyNames, theme),
  letters: ({ typed }) => (typed === null ? 'move' : 'type'),
  isDismissedByTyping: ({ dismissOnType }) => dismissOnType,
  take({ choicePrompt }, picker) {
    const row = choiceRows(picker)[picker.selected]
    if (row) choicePrompt.take(row.index, picker.filter)
  },
  closed: ({ choicePrompt }) => choicePrompt.dropped(),
}

/** An answer with its index, null for typed text, and the offsets that the filter matched. */
type ChoiceRow = { choice: Choice; index: number | null; positions: readonly number[] }

function choiceRows(picker: ChoicePicker): ChoiceRow[] {
  const { filter, choices, typed } = picker
  if (typed !== null && filter !== '')
    return [{ choice: { label: shownFilter(picker), detail: typed }, index: null, positions: [] }]
  const all = choices.map((choice, index) => ({ choice, index, positions: [] }))
  if (filter === '') return all
  return rank(filter, all, row => row.choice.label).map(({ item, positions }) => ({
    choice: item.choice,
    index: item.index,
    positions,
  }))
}

/** The typed text, with a secret hidden. */
function shownFilter({ filter, isSecret }: ChoicePicker): string {
  return isSecret ? '*'.repeat(Math.min(filter.length, MOST_STARS)) : filter
}

/** The stars show that keys arrive, not how long the secret is. */
const MOST_STARS = 12

/** The most lines about the selected answer, and the fewest rows that they leave to the list. */
const MOST_TOLD = 4
const LEAST_ROWS = 3
/** With fewer columns than this, a detail would be little more than its ellipsis. */
const ROOM_FOR_DETAIL = 6
/** The columns of a detail for which the second fact is left out. */
const LEAST_BESIDE = 24
/** The most columns of a fact on a screen of usual width. */
const MOST_FACT = 16

export function answerList(picker: ChoicePicker, names: KeyNames, theme: Theme): RowList {
  const { selected } = picker
  const found = choiceRows(picker)
  return {
    selected,
    ...rowsOf(found, answerRow),
    none: sanitize(picker.typed === null ? `no matches${widening(names)}` : 'type it here'),
    layout: (rows, columns) => answerLayout(rows, columns, { found, selected, theme }),
    keys: visible => listKeys(names, found.length > visible ? `choice ${selected + 1} of ${found.length}` : ''),
    hint: null,
  }
}

function answerRow({ choice: { label, facts = [], detail, endsEarly = false }, positions }: ChoiceRow): ListRow {
  const cells = facts.map(fact => oneLine(sanitize(fact)))
  return { ...nameOf(label, positions), depth: 0, facts: cells, note: oneLine(sanitize(detail)), endsEarly }
}

/** Names have up to two thirds of the screen, facts come next, and the details have the rest. */
function answerLayout(
  rows: readonly ListRow[],
  columns: number,
  { found, selected, theme }: { found: readonly ChoiceRow[]; selected: number; theme: Theme },
): RowLayout {
  const { ellipsis } = theme.signs
  const hasNotes = rows.some(({ note }) => note !== '')
  const most = Math.max(8, hasNotes ? Math.floor((columns * 2) / 3) : columns - 5)
  const names = Math.min(widestName(rows), most)
  const room = Math.max(1, columns - names - MARGINS)
  const each = Array.from({ length: Math.max(0, ...rows.map(row => row.facts.length)) }, (_, rank) => ({
    rank,
    most: Math.min(room, Math.max(MOST_FACT, Math.floor(columns / 5))),
  }))
  const [first] = each
  // The first fact always has room, and more of them only beside a detail.
  const forFacts = hasNotes && first ? Math.max(first.most, room - LEAST_BESIDE) : room
  const columnsOfFacts = factColumns(rows, each, { room: forFacts, ellipsis })
  const { width } = columnsOfFacts
  // An answer without facts uses their columns for its detail.
  const hasFacts = ({ facts }: ListRow): boolean => facts.length > 0 && width > 0
  const left = (row: ListRow): number => (hasFacts(row) ? Math.max(0, room - width - GAP.length) : room)
  function noteOf(row: ListRow): SafeText {
    const { note, endsEarly = false } = row
    if (displayWidth(note) > left(row) && left(row) < ROOM_FOR_DETAIL) return sanitize('')
    return (endsEarly ? firstClauses : wholeWords)(note, left(row), ellipsis)
  }
  return {
    nameWidth: () => names,
    beside(row) {
      const note = noteOf(row)
      if (!hasFacts(row)) return drawn`${note}`
      return note === '' ? columnsOfFacts.line(row) : drawn`${columnsOfFacts.line(row)}${sanitize(GAP)}${note}`
    },
    about(all) {
      const isCut = rows.some(row => displayWidth(row.note) > left(row))
      const lines = isCut
        ? selectedLines(found, selected, columns - 8, all - 2 - Math.min(LEAST_ROWS, found.length))
        : []
      return lines.length === 0 ? [] : [empty, ...lines.map(line => drawn`      ${theme.dim(line)}`)]
    },
  }
}

/** The selected answer's whole detail: for each answer in as many lines as the longest needs, so that nothing moves. */
function selectedLines(rows: readonly ChoiceRow[], selected: number, width: number, most: number): SafeText[] {
  if (most < 1) return []
  const whole = rows.map(({ choice }) => wrap(oneLine(sanitize(choice.whole ?? choice.detail)), width))
  const count = Math.min(MOST_TOLD, most, Math.max(...whole.map(lines => lines.length)))
  return Array.from({ length: count }, (_, index) => whole[selected]?.[index] ?? sanitize(''))
}

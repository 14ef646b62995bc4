/** An open list: its title and its filter in the place of the composer, and its rows below. */
import type { Picker } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { literal, oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { PROMPT_WIDTH } from '../composer/rows.ts'
import { type Panel, rowsOnly, type SpokenContext } from '../regions.ts'
import { spoken } from '../../src/text/spoken.ts'
import { listLines, spokenRow, type RowList } from './list.ts'
import { specOf } from './table.ts'

export const listTitle: Panel = {
  name: 'list title',
  draw(frame) {
    const { picker } = frame.state
    if (!picker) return null
    const { line, column } = titleLine(picker, frame)
    return { pieces: [{ rows: [line] }], caret: { row: 0, column } }
  },
}

export const list: Panel = {
  name: 'list',
  least: 2,
  draw(frame, room) {
    const { state, theme } = frame
    return state.picker && rowsOnly(listLines(specOf(state.picker).rows(state.picker, state, theme), frame, room))
  },
  spoken: listInWords,
}

/** The title of a list, and the text that its rows must match. */
function pickerTitle(picker: Picker): { title: SafeText; filter: SafeText } {
  const { title, shownFilter } = specOf(picker)
  return {
    title: oneLine(sanitize(title(picker))),
    filter: oneLine(sanitize(shownFilter?.(picker) ?? picker.filter)),
  }
}

/** The title and filter in the composer's place, and the column of the caret. */
function titleLine(
  picker: Picker,
  { theme, columns }: { theme: Theme; columns: number },
): { line: Styled; column: number } {
  const { ellipsis, prompt } = theme.signs
  // A list that nobody opened waits for the user, as a question does.
  const isUnasked = specOf(picker).isDismissedByTyping?.(picker) ?? false
  const mark = isUnasked ? theme.warning(sanitize('?')) : theme.accent(sanitize(prompt))
  const words = pickerTitle(picker)
  const title = truncate(words.title, Math.max(1, columns - 5), ellipsis)
  const before = PROMPT_WIDTH + displayWidth(title) + 2
  const filter = truncate(words.filter, Math.max(1, columns - before - 1), ellipsis)
  const line = drawn`${mark} ${theme.strong(title)}  ${filter}`
  return { line: theme.promptBand(line, columns), column: before + displayWidth(filter) }
}

/** Rows of a list that are read out when it opens. */
const READ_OUT = 10

/**
 * The list with numbers, when it opens or its rows change; the chosen row, when that changes. A list is read only when
 * it is complete, because late rows may come first.
 */
function listInWords(before: AppState, now: AppState, { theme }: SpokenContext): SafeText[] {
  const { picker } = now
  const was = before.picker
  if (!picker || picker === was) return []
  const isOpen = was?.kind === picker.kind && !isOtherQuestion(was, picker)
  const isUnread = isOpen && isIncompleteOf(was)
  const isSame = isOpen && was.filter === picker.filter
  const list = specOf(picker).rows(picker, now, theme)
  const { size, selected, none } = list
  if (isSame && (isIncompleteOf(picker) || (!isUnread && specOf(was).size(was) === size)))
    return [...newTitle(was, picker), ...(was.selected === selected ? [] : numberedRows(list, selected, selected + 1))]
  const words = pickerTitle(picker)
  const title = spoken([words.title, words.filter])
  if (isOpen && isIncompleteOf(picker)) return [title]
  const more = size > READ_OUT ? `, ${READ_OUT} of ${size} are read` : ''
  const { keyNames } = now
  const ways = [keyed(keyNames, 'Number and {picker.take}'), keyed(keyNames, '{picker.up} and {picker.down}')]
  const chooses = [...ways, 'or type to search'].filter(way => way !== '').join(', ')
  const keys = [size === 0 ? '' : `${chooses}${more}.`, keyed(keyNames, '{picker.close} leaves.')]
  return [
    ...(isUnread && isSame ? [] : [title]),
    ...(size === 0 ? [none] : numberedRows(list, 0, READ_OUT)),
    ...(list.aloud ? [list.aloud] : []),
    sanitize(keys.filter(part => part !== '').join(' ')),
  ]
}

/** A question with other answers is another one, also where it has as many. */
function isOtherQuestion(was: Picker, now: Picker): boolean {
  if (was.kind !== 'choice' || now.kind !== 'choice') return false
  return was.choices.some(({ label }, at) => label !== now.choices[at]?.label)
}

/** What is done meanwhile stands in the title of a question, such as how far a move is. */
function newTitle(was: Picker, now: Picker): SafeText[] {
  const { title } = pickerTitle(now)
  return now.kind === 'choice' && title !== pickerTitle(was).title ? [title] : []
}

const isIncompleteOf = (picker: Picker): boolean => specOf(picker).isIncomplete?.(picker) ?? false

function numberedRows(list: RowList, from: number, to: number): SafeText[] {
  return list.rows(from, to).map((row, index) => literal`${from + index + 1}. ${spokenRow(row)}`)
}

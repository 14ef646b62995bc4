/** What stands under the composer: the status line, or the list that opened in its place. */
import { choiceRows, popupRows, pickerRows, type PickerRow, type PopupRow } from '../app/overlay.ts'
import type { SlashCommand } from '../app/slash.ts'
import type { AppState, ChoicePicker, FoundPrompt, HistoryPicker, ModelPicker, Picker } from '../app/state.ts'
import { formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { shortenPath, truncate, type Ellipsis } from '../text/shorten.ts'
import { displayWidth, padTo } from '../text/width.ts'
import { factsLine } from './facts.ts'
import { statusLine } from './status.ts'
import { drawn, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'

export type BelowContext = { theme: Theme; columns: number; commands: readonly SlashCommand[] }

/** The title of a list before its filter. */
function titleOf(picker: Picker): string {
  if (picker.kind === 'models') return 'model'
  if (picker.kind === 'choice') return picker.title
  return picker.scope === 'folder' ? 'history' : 'history of all folders'
}

/** The column behind the filter in a list's title, where the caret stands. */
export function filterColumn(picker: Picker): number {
  return PICKER_SIGN + displayWidth(titleOf(picker)) + 2 + displayWidth(oneLine(sanitize(picker.filter)))
}

/** Columns of the sign before a list's title, with its blank. */
const PICKER_SIGN = 2

export function belowLines(state: AppState, context: BelowContext, room: number): Styled[] {
  const { theme, columns } = context
  if (state.picker) return pickerLines(state.picker, state, context, Math.max(3, room))
  const rows = popupRows(state, context.commands)
  if (rows.length > 0) return popupLines(rows, state.popup.selected, context, Math.max(3, room))
  return [statusLine(state, theme, columns)]
}

/** A window of a list around the chosen row. */
function windowOf<Row>(rows: readonly Row[], selected: number, size: number): { from: number; shown: readonly Row[] } {
  const from = Math.max(0, Math.min(selected - Math.floor(size / 2), rows.length - size))
  return { from, shown: rows.slice(from, from + size) }
}

function popupLines(
  rows: readonly PopupRow[],
  selected: number,
  { theme, columns }: BelowContext,
  room: number,
): Styled[] {
  const { ellipsis } = theme.signs
  const all = rows.length <= Math.min(12, room)
  const { from, shown } = windowOf(rows, selected, all ? rows.length : Math.min(12, room) - 1)
  const widest = Math.max(...rows.map(row => displayWidth(row.label)))
  const hasDetails = rows.some(row => row.detail !== '')
  const labels = Math.min(widest + 2, Math.max(10, hasDetails ? Math.floor(columns / 2) : columns - 4))
  const lines = shown.map((row, index) => {
    const chosen = from + index === selected
    const label = padTo(shortLabel(row, labels - 1, ellipsis), labels)
    const detail = truncate(sanitize(row.detail), Math.max(1, columns - labels - 4), ellipsis)
    const mark = chosen ? theme.accent(sanitize(theme.signs.prompt)) : drawn` `
    return drawn`  ${mark} ${chosen ? theme.selected(label) : label}${theme.dim(detail)}`
  })
  if (all) return lines
  const place = `    ${selected + 1} of ${rows.length}   Up and Down choose   Tab takes`
  return [...lines, theme.dim(truncate(sanitize(place), columns, ellipsis))]
}

/** Of a path the folders in the middle are left out first, of anything else the end. */
function shortLabel({ label, completed }: PopupRow, width: number, ellipsis: Ellipsis): SafeText {
  const safe = oneLine(sanitize(label))
  return completed.startsWith('@') ? shortenPath(safe, width, ellipsis) : truncate(safe, width, ellipsis)
}

function pickerLines(picker: Picker, state: AppState, context: BelowContext, room: number): Styled[] {
  const { theme, columns } = context
  const { ellipsis, prompt } = theme.signs
  const name = titleOf(picker)
  const filter = truncate(oneLine(sanitize(picker.filter)), Math.max(1, columns - displayWidth(name) - 7), ellipsis)
  const title = drawn`${theme.accent(sanitize(prompt))} ${sanitize(name)}  ${filter}`
  const { lines, keys } = rowsOf(picker, state, context, room)
  return [title, ...lines, ...keys.map(text => theme.dim(truncate(sanitize(text), columns, ellipsis)))]
}

type Rows = { lines: Styled[]; keys: string[] }

/** As many rows of a list as have room between its title and its keys. */
const rowsIn = (room: number): number => Math.max(1, Math.min(10, room - 2))

function rowsOf(picker: Picker, state: AppState, context: BelowContext, room: number): Rows {
  switch (picker.kind) {
    case 'models':
      return modelRows(picker, state, context, room)
    case 'history':
      return promptRows(picker, context, room)
    case 'choice':
      return answerRows(picker, context, room)
  }
}

function answerRows(picker: ChoicePicker, { theme, columns }: BelowContext, room: number): Rows {
  const { ellipsis, prompt } = theme.signs
  const rows = choiceRows(picker)
  const { from, shown } = windowOf(rows, picker.selected, rowsIn(room))
  const widest = Math.max(0, ...rows.map(({ choice }) => displayWidth(oneLine(sanitize(choice.label)))))
  const hasDetails = rows.some(({ choice }) => choice.detail !== '')
  const labels = Math.min(widest, Math.max(8, hasDetails ? Math.floor(columns / 2) : columns - 5))
  const lines = shown.map(({ choice }, index) => {
    const chosen = from + index === picker.selected
    const label = padTo(truncate(oneLine(sanitize(choice.label)), labels, ellipsis), labels)
    const detail = truncate(oneLine(sanitize(choice.detail)), Math.max(1, columns - labels - 8), ellipsis)
    const mark = chosen ? theme.accent(sanitize(prompt)) : drawn` `
    return drawn`  ${mark} ${chosen ? theme.selected(label) : label}   ${theme.dim(detail)}`
  })
  if (rows.length === 0) lines.push(theme.dim(sanitize('  none matches; Backspace widens the search')))
  const count = rows.length > shown.length ? `${picker.selected + 1} of ${rows.length}   ` : ''
  return { lines, keys: [`  ${count}Up and Down choose   Enter takes   Esc leaves it`] }
}

function modelRows(picker: ModelPicker, state: AppState, context: BelowContext, room: number): Rows {
  const { theme, columns } = context
  if (picker.models === null)
    return { lines: [theme.dim(sanitize(`  asking the agent ${theme.signs.ellipsis}`))], keys: [] }
  const rows = pickerRows(picker)
  const { from, shown } = windowOf(rows, picker.selected, rowsIn(room))
  const widest = Math.max(0, ...rows.map(row => displayWidth(row.model.id)))
  const names = Math.min(widest, Math.max(8, Math.floor(columns / 2)))
  const lines = shown.map((row, index) => pickerLine(row, from + index === picker.selected, names, state, context))
  if (rows.length === 0) lines.push(theme.dim(sanitize('  no model matches; Backspace widens the search')))
  return {
    lines,
    keys: [`  ${rows.length} of ${picker.models.length}   Up and Down choose   Enter takes   Esc leaves it`],
  }
}

function promptRows({ prompts, found, selected, scope }: HistoryPicker, context: BelowContext, room: number): Rows {
  const { theme } = context
  const { from, shown } = windowOf(found, selected, rowsIn(room))
  const lines = shown.map((prompt, index) => promptLine(prompt, from + index === selected, context))
  if (found.length === 0) lines.push(theme.dim(sanitize('  no prompt of before has this in it')))
  const wider = scope === 'folder' ? '   Ctrl+R searches all folders' : ''
  return { lines, keys: [`  ${found.length} of ${prompts.length}${wider}   Enter takes   Esc leaves it`] }
}

/** No more of a prompt than could stand in the widest row. */
const PROMPT_START = 1000

function promptLine({ text, place }: FoundPrompt, chosen: boolean, { theme, columns }: BelowContext): Styled {
  const { ellipsis, newline } = theme.signs
  const from = truncate(oneLine(sanitize(place)), Math.max(1, Math.floor(columns / 4)), ellipsis)
  const room = Math.max(1, columns - 5 - (place === '' ? 0 : displayWidth(from) + 3))
  const words = truncate(oneLine(sanitize(text.slice(0, PROMPT_START).trim()), newline), room, ellipsis)
  const mark = chosen ? theme.accent(sanitize(theme.signs.prompt)) : drawn` `
  const line = drawn`  ${mark} ${chosen ? theme.selected(words) : words}`
  return place === '' ? line : drawn`${line}   ${theme.dim(from)}`
}

function pickerLine(
  { model }: PickerRow,
  chosen: boolean,
  names: number,
  state: AppState,
  { theme, columns }: BelowContext,
): Styled {
  const inUse = model.id === state.chat.agent.model
  const name = padTo(truncate(oneLine(sanitize(model.id)), names, theme.signs.ellipsis), names)
  const facts = [
    { text: sanitize(model.provider), rank: 2 },
    { text: model.contextWindow === null ? sanitize('') : formatTokens(model.contextWindow), rank: 1 },
    { text: sanitize(model.reasoning ? 'reasoning' : ''), rank: 3 },
    { text: sanitize(inUse ? 'in use' : ''), rank: 0 },
  ]
  const mark = chosen ? theme.accent(sanitize(theme.signs.prompt)) : drawn` `
  const detail = theme.dim(factsLine(facts, columns - names - 7))
  return drawn`  ${mark} ${chosen ? theme.selected(name) : name}   ${detail}`
}

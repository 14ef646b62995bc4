/** What stands under the composer: the status line, or the list that opened in its place. */
import { pickerRows } from '../state/picker-rows.ts'
import { noCommandHint, popupRows } from '../state/popup.ts'
import type { SlashCommand } from '../state/slash.ts'
import type { FoundPrompt, HistoryPicker, ListedModel, ModelPicker, Picker } from '../state/picker.ts'
import type { AppState } from '../state/state.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { truncate, type Ellipsis } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import { answerRows } from './answers.ts'
import { PROMPT_WIDTH } from './composer.ts'
import { keyDebugLines } from './key-debug.ts'
import { leastForNames, modelColumns } from './model-columns.ts'
import { matchedName, matchPaints, withMatches, wordPositions } from './matched.ts'
import { popupLines } from './popup.ts'
import { sessionLines } from './sessions.ts'
import { statusLine } from './status.ts'
import { drawn, empty, fitted, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { Fact } from '../style/facts.ts'
import { keyFact, keysLine, listKeys, rowsIn, windowOf, type RowWindow } from '../style/window.ts'

export type BelowContext = { theme: Theme; columns: number; commands: readonly SlashCommand[] }

/** The title of a list before its filter. */
function titleOf(picker: Picker): string {
  if (picker.kind === 'models') return picker.elsewhere ? 'model of another provider' : 'model'
  if (picker.kind === 'choice') return picker.title
  const what = picker.kind === 'sessions' ? 'sessions' : 'history'
  return picker.scope === 'folder' ? what : `${what} of all folders`
}

/** The title of a list and its filter, which stand in the composer's place, and the column where the caret stands. */
export function pickerTitle(picker: Picker, { theme, columns }: BelowContext): { line: Styled; column: number } {
  const { ellipsis, prompt } = theme.signs
  const name = truncate(oneLine(sanitize(titleOf(picker))), Math.max(1, columns - 5), ellipsis)
  const before = PROMPT_WIDTH + displayWidth(name) + 2
  const filter = truncate(oneLine(sanitize(picker.filter)), Math.max(1, columns - before - 1), ellipsis)
  const line = drawn`${theme.accent(sanitize(prompt))} ${theme.strong(name)}  ${filter}`
  return { line, column: before + displayWidth(filter) }
}

/** What stands there, by its kind. */
export type Below =
  | { kind: 'status'; text: Styled }
  | { kind: 'popup'; rows: readonly Styled[] }
  | { kind: 'picker'; rows: readonly Styled[] }
  | { kind: 'keys'; title: Styled; rows: readonly Styled[] }

export function belowLines(state: AppState, context: BelowContext, room: number): readonly Styled[] {
  return rowsOfBelow(belowOf(state, context, room))
}

/** All rows of it, from the top. */
export function rowsOfBelow(below: Below): readonly Styled[] {
  if (below.kind === 'status') return [below.text]
  return below.kind === 'keys' ? [below.title, ...below.rows] : below.rows
}

export function belowOf(state: AppState, context: BelowContext, room: number): Below {
  const { theme, columns } = context
  if (state.watched) return titled(keyDebugLines(state.watched, context, Math.max(2, room)))
  if (state.picker) return { kind: 'picker', rows: pickerLines(state.picker, state, context, Math.max(2, room)) }
  const rows = popupRows(state, context.commands)
  if (rows.length > 0) {
    return { kind: 'popup', rows: popupLines(rows, state.popup.selected, context, Math.max(3, room)) }
  }
  const hint = state.hint ?? noCommandHint(state, context.commands)
  return { kind: 'status', text: statusLine({ ...state, hint }, theme, columns) }
}

function titled([title = empty, ...rows]: readonly Styled[]): Below {
  return { kind: 'keys', title, rows }
}

/** The first rows of it, none wider than the screen; null where there is room for none. */
export function cutBelow(
  below: Below,
  { columns, room, ellipsis }: { columns: number; room: number; ellipsis: Ellipsis },
): Below | null {
  const shown = fitted(rowsOfBelow(below).slice(0, Math.max(0, room)), columns, ellipsis)
  const [first] = shown
  if (first === undefined) return null
  if (below.kind === 'status') return { ...below, text: first }
  return below.kind === 'keys' ? titled(shown) : { ...below, rows: shown }
}

function pickerLines(picker: Picker, state: AppState, context: BelowContext, room: number): Styled[] {
  const { lines, keys } = rowsOf(picker, state, context, room)
  return keys.length === 0 ? lines : [...lines, keysLine(keys, context)]
}

function rowsOf(picker: Picker, state: AppState, context: BelowContext, room: number): RowWindow {
  switch (picker.kind) {
    case 'models':
      return modelRows(picker, state, context, room)
    case 'history':
      return promptRows(picker, context, room)
    case 'choice':
      return answerRows(picker, context, room)
    case 'sessions':
      return { lines: sessionLines(picker, { ...context, now: state.now, hint: state.hint }, room), keys: [] }
  }
}

function noModel({ awaitsMore }: ModelPicker, { signs }: Theme): string {
  if (awaitsMore) return `  no model matches yet; those of other providers are coming ${signs.ellipsis}`
  return '  no model matches; Backspace widens the search'
}

/** Columns before, between and behind the name of a model and what is told of it. */
const MARGINS = 7

/** Rows by which the columns are made; of more the first ones, and those that are shown. */
const MEASURED = 500

function modelRows(picker: ModelPicker, state: AppState, context: BelowContext, room: number): RowWindow {
  const { theme, columns } = context
  if (picker.models === null)
    return { lines: [theme.dim(sanitize(`  asking the agent ${theme.signs.ellipsis}`))], keys: [] }
  const rows = pickerRows(picker)
  const { from, shown } = windowOf(rows, picker.selected, rowsIn(room))
  const measured = rows.length <= MEASURED ? rows : [...rows.slice(0, MEASURED), ...shown]
  const widest = measured.reduce((most, row) => Math.max(most, displayWidth(row.model.id)), 0)
  const left = columns - MARGINS - Math.min(widest, leastForNames(columns))
  const facts = modelColumns(measured, { room: left, ellipsis: theme.signs.ellipsis }, state)
  const names = Math.min(widest, columns - MARGINS - facts.width)
  const lines = shown.map(({ model, positions }, index) => {
    const chosen = from + index === picker.selected
    const mark = chosen ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
    return drawn`  ${mark} ${matchedName(model.id, { positions, chosen, width: names }, theme)}   ${theme.dim(facts.line(model))}`
  })
  if (rows.length === 0) lines.push(theme.dim(sanitize(noModel(picker, theme))))
  return {
    lines,
    keys: [
      keyFact(`${rows.length} of ${picker.models.length}`, 2),
      ...whatEnterDoes(rows[picker.selected]?.model, state),
      keyFact('Esc cancels', 0),
    ],
  }
}

/** A model of another provider costs the agent's memory: that is said before it is chosen. */
function whatEnterDoes(model: ListedModel | undefined, { chat: { agent } }: AppState): Fact[] {
  const isOther = model !== undefined && agent.provider !== '' && model.provider !== agent.provider
  if (isOther) return [keyFact('Enter starts a new agent, told a digest', 1)]
  return [keyFact('Up and Down choose', 9), keyFact('Enter selects', 1)]
}

function promptRows(
  { prompts, found, selected, scope, filter }: HistoryPicker,
  context: BelowContext,
  room: number,
): RowWindow {
  const { theme } = context
  const { from, shown } = windowOf(found, selected, rowsIn(room))
  const lines = shown.map((prompt, index) => promptLine(prompt, filter, from + index === selected, context))
  if (found.length === 0) lines.push(theme.dim(sanitize('  no prompt of before has this in it')))
  const wider = scope === 'folder' ? 'Ctrl+R searches all folders' : ''
  return { lines, keys: listKeys(`${found.length} of ${prompts.length}`, wider) }
}

/** No more of a prompt than could stand in the widest row. */
const PROMPT_START = 1000

function promptLine(
  { text, place }: FoundPrompt,
  filter: string,
  chosen: boolean,
  { theme, columns }: BelowContext,
): Styled {
  const { ellipsis, newline } = theme.signs
  const from = truncate(oneLine(sanitize(place)), Math.max(1, Math.floor(columns / 4)), ellipsis)
  const room = Math.max(1, columns - 5 - (place === '' ? 0 : displayWidth(from) + 3))
  const words = truncate(oneLine(sanitize(text.slice(0, PROMPT_START).trim()), newline), room, ellipsis)
  const mark = chosen ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
  const shown = withMatches(words, wordPositions(words, filter), matchPaints(theme, chosen))
  const line = drawn`  ${mark} ${shown}`
  return place === '' ? line : drawn`${line}   ${theme.dim(from)}`
}

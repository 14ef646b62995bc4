/** The search in earlier prompts. */
import type { PickerApp, PickerRequest } from '../../src/app/pickers/pickers.ts'
import type { FoundPrompt, HistoryPicker } from '../../src/state/pickers/picker.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { drawn } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { countOf, listKeys } from '../../src/style/list-window.ts'
import { hasWords, wordPositions, wordsIn } from '../../src/composer/filter.ts'
import type { PickerSpec } from './picker-spec.ts'
import { rowsOf, type RowList, type ListRow } from './list.ts'

export const prompts: PickerSpec<'history'> = {
  title: ({ scope }) => (scope === 'folder' ? 'history' : 'history of all folders'),
  size: ({ found }) => found.length,
  filter: (picker, filter) => ({ ...picker, filter, selected: 0, found: promptsWith(filter, picker.prompts) }),
  rows: (picker, { keyNames }, theme) => promptList(picker, keyNames, theme),
  letters: () => 'move',
  open,
  take,
  widen(app, { scope, filter }) {
    if (scope === 'folder') open(app, { scope: 'all', filter })
  },
}

function open({ context }: PickerApp, { scope = 'folder', filter = '' }: PickerRequest): void {
  const all = context.drafts.prompts(scope)
  const found = promptsWith(filter, all)
  context.dispatch({
    type: 'picker_changed',
    picker: { kind: 'history', scope, filter, selected: 0, prompts: all, found },
  })
}

function take({ context, turns, composing, choicePrompt }: PickerApp, { found, selected }: HistoryPicker): void {
  const text = found[selected]?.text
  if (text !== undefined) {
    context.dispatch({ type: 'picker_changed', picker: null })
    // A copy of a waiting prompt would be sent twice.
    if (!turns.queue.editWaiting(text)) composing.replaceDraft(text)
  }
  choicePrompt.askNext()
}

/** Characters of a prompt that are searched. */
const SEARCHED = 10_000

/** The prompts that contain all the words, ignoring case, in their order. */
function promptsWith(filter: string, prompts: readonly FoundPrompt[]): readonly FoundPrompt[] {
  const words = wordsIn(filter)
  if (words.length === 0) return prompts
  return prompts.filter(({ text }) => hasWords(text.slice(0, SEARCHED), words))
}

/** Characters of a prompt; no row is wide enough for more. */
const PROMPT_START = 1000

function promptList(picker: HistoryPicker, names: KeyNames, { signs }: Theme): RowList {
  const { prompts: all, found, selected, scope, filter } = picker
  const wider = scope === 'folder' ? keyed(names, '{picker.widen} searches all folders') : ''
  return {
    selected,
    ...rowsOf(found, prompt => promptRow(prompt, filter, signs.newline)),
    none: sanitize('no matching prompts'),
    layout: (_rows, columns) => {
      const place = ({ note }: ListRow) => truncate(note, Math.max(1, Math.floor(columns / 4)), signs.ellipsis)
      return {
        nameWidth: row => {
          const beside = row.note === '' ? 0 : displayWidth(place(row)) + 3
          return Math.min(displayWidth(row.name), Math.max(1, columns - 5 - beside))
        },
        beside: row => drawn`${place(row)}`,
        about: () => [],
      }
    },
    keys: () => listKeys(names, countOf(found.length, all.length, 'prompt'), wider),
    hint: null,
  }
}

function promptRow({ text, place }: FoundPrompt, filter: string, newline: Theme['signs']['newline']): ListRow {
  const name = oneLine(sanitize(text.slice(0, PROMPT_START).trim()), newline)
  return { name, positions: wordPositions(name, filter), depth: 0, facts: [], note: oneLine(sanitize(place)) }
}

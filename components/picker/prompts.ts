/** The list of earlier prompts. */
import type { FoundPrompt, HistoryPicker } from '../../src/state/pickers/picker.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { drawn } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { countOf, listKeys } from '../../src/style/list-window.ts'
import { wordPositions } from '../../src/composer/filter.ts'
import { rowsOf, type RowList, type ListRow } from './list.ts'

/** Characters of a prompt; no row is wide enough for more. */
const PROMPT_START = 1000

export function promptList(picker: HistoryPicker, names: KeyNames, { signs }: Theme): RowList {
  const { prompts, found, selected, scope, filter } = picker
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
    keys: () => listKeys(names, countOf(found.length, prompts.length, 'prompt'), wider),
    hint: null,
  }
}

function promptRow({ text, place }: FoundPrompt, filter: string, newline: Theme['signs']['newline']): ListRow {
  const name = oneLine(sanitize(text.slice(0, PROMPT_START).trim()), newline)
  return { name, positions: wordPositions(name, filter), depth: 0, facts: [], note: oneLine(sanitize(place)) }
}

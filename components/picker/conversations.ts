/** The list of the conversations of this zotui, with the question and the last line of the selected one. */
import { BESIDE_CALL, isCallInFull, type ConversationRow } from '../../src/state/conversations/conversations.ts'
import type { ConversationPicker } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import { formatAge, formatCost, formatDuration } from '../../src/text/format.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { keyFact } from '../../src/style/list-window.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { composerWidth } from '../composer/rows.ts'
import { stateSign, stateWords } from '../status/conversations.ts'
import { aboutLines, factsLayout, rowsOf, type ListRow, type RowList } from './list.ts'

/** With less room than this, only the call that `y` would allow is shown below the list. */
const ROOM_FOR_ABOUT = 6

export function conversationList(
  { rows, selected }: ConversationPicker,
  { now, hint, keyNames }: Pick<AppState, 'now' | 'hint' | 'keyNames'>,
  theme: Theme,
): RowList {
  return {
    selected,
    ...rowsOf(rows, row => listRow(row, now, theme)),
    none: sanitize(''),
    layout: (shown, columns) => ({
      ...factsLayout(shown, factsOf(columns), { theme, columns }),
      about: all => {
        const lines = linesAbout(rows[selected], theme, columns)
        return all >= ROOM_FOR_ABOUT ? lines : rows[selected]?.call ? lines.slice(1, 2) : []
      },
    }),
    keys: (_visible, columns) => keysOf(rows[selected], keyNames, columns),
    hint,
  }
}

/** The facts of a conversation: state, time, cost, folder and branch. */
function factsOf(columns: number): Omit<Column<ListRow>, 'cell'>[] {
  const most = Math.floor(columns / 5)
  return [
    // The longest state is `working, this one`.
    { rank: 0, most: columns < 80 ? most : Math.max(most, 17) },
    { rank: 1, most, isNumber: true },
    { rank: 2, most, isNumber: true },
    { rank: 3, most },
    { rank: 4, most },
  ]
}

function listRow(row: ConversationRow, now: number, theme: Theme): ListRow {
  const { number, isShown, title, state, since, costUsd, folder, branch, backgroundId } = row
  const sign = stateSign(state, theme)
  const isOpen = state === 'working' || state === 'asks'
  const isSpokenBackground = theme.isSpoken && backgroundId !== undefined ? 'in the background' : ''
  const facts = [
    sanitize([stateWords[state], isShown ? 'this one' : '', isSpokenBackground].filter(word => word !== '').join(', ')),
    since === null ? sanitize('') : isOpen ? formatDuration(now - since) : formatAge(now - since),
    sanitize(costUsd === null || costUsd === 0 ? '' : formatCost(costUsd)),
    oneLine(sanitize(folder.split(/[\\/]/).at(-1) ?? '')),
    oneLine(sanitize(branch ?? '')),
  ]
  const place = number === 0 ? '&' : String(number)
  const mark = number > 0 && backgroundId !== undefined ? '& ' : ''
  const signs = theme.isSpoken ? '' : `${sign || ' '} ${mark}`
  const name = oneLine(sanitize(`${place} ${signs}${title || 'new conversation'}`))
  return { name, positions: [], depth: 0, facts, note: sanitize('') }
}

function linesAbout(row: ConversationRow | undefined, theme: Theme, columns: number): Styled[] {
  if (!row) return []
  const asked = ['asks', row.call?.subject ?? '', theme.warning] as const
  return aboutLines([asked, ['last', row.lastLine]], BESIDE_CALL, { theme, columns })
}

function keysOf(row: ConversationRow | undefined, names: KeyNames, columns: number): Fact[] {
  const call = row?.call
  return [
    keyFact(keyed(names, '{picker.take} or a digit goes there'), 0),
    keyFact(call && isCallInFull(call, composerWidth(columns)) ? 'y allows' : '', 2),
    keyFact(call ? 'n refuses' : '', 3),
    keyFact('r renames', 6),
    keyFact('s stops', 4),
    keyFact('e ends', 5),
    keyFact(row?.backgroundId === undefined ? 'b moves it to the background' : '', 7),
    keyFact(keyed(names, '{picker.close} cancels'), 1),
  ]
}

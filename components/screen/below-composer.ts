/** The part below the composer: the status line, or the list that opened in its place. */
import { noCommandHint, popupRows } from '../../src/state/completion/popup.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import type { AppState } from '../../src/state/state.ts'
import { keyDebugLines } from '../key-debug/rows.ts'
import { listLines } from '../picker/list.ts'
import { specOf } from '../picker/table.ts'
import { customStatusLine } from '../status/custom-status.ts'
import { popupLines } from '../popup/rows.ts'
import { HINT_ROWS, hintRows, statusLine, withCustom } from '../status/rows.ts'
import { type BelowComposer, keyDebugPart } from './zone-layout.ts'
import type { Theme } from '../../src/style/theme.ts'

export type BelowContext = { theme: Theme; columns: number; commands: readonly SlashCommand[] }

export function belowOf(state: AppState, context: BelowContext, room: number): BelowComposer {
  const { theme, columns } = context
  if (state.watched)
    return keyDebugPart(keyDebugLines(state.watched, { ...context, keyNames: state.keyNames }, Math.max(2, room)))
  if (state.picker) {
    const rows = listLines(specOf(state.picker).rows(state.picker, state, theme), context, Math.max(2, room))
    return { kind: 'picker', rows }
  }
  const rows = popupRows(state, context.commands)
  if (rows.length > 0) {
    return {
      kind: 'popup',
      rows: popupLines(rows, state.popup.selected, { ...context, keyNames: state.keyNames }, Math.max(3, room)),
    }
  }
  const hint = state.hint ?? noCommandHint(state, context.commands)
  const long = hint === null ? [] : hintRows(state, hint, context, Math.min(HINT_ROWS, Math.max(1, room)))
  if (long.length > 1) return { kind: 'hint', rows: long }
  const text = statusLine({ ...state, hint }, theme, columns)
  return { kind: 'status', ...withCustom({ ...state, hint }, text, customStatusLine(state, theme, columns)) }
}

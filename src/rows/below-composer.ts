/** The part below the composer: the status line, or the list that opened in its place. */
import { noCommandHint, popupRows } from '../state/popup.ts'
import type { SlashCommand } from '../state/slash.ts'
import type { AppState } from '../state/state.ts'
import type { Ellipsis } from '../text/shorten.ts'
import { keyDebugLines } from './key-debug.ts'
import { listLines } from './pickers/list.ts'
import { pickerList } from './pickers/picker.ts'
import { popupLines } from './popup.ts'
import { statusLine } from './status.ts'
import { empty, fitted, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'

export type BelowContext = { theme: Theme; columns: number; commands: readonly SlashCommand[] }

/** The part by its kind. */
export type BelowComposer =
  | { kind: 'status'; text: Styled }
  | { kind: 'popup'; rows: readonly Styled[] }
  | { kind: 'picker'; rows: readonly Styled[] }
  | { kind: 'question'; rows: readonly Styled[] }
  | { kind: 'keys'; title: Styled; rows: readonly Styled[] }

export function belowLines(state: AppState, context: BelowContext, room: number): readonly Styled[] {
  return rowsOfBelow(belowOf(state, context, room))
}

/** All rows of it, from the top. */
export function rowsOfBelow(below: BelowComposer): readonly Styled[] {
  if (below.kind === 'status') return [below.text]
  return below.kind === 'keys' ? [below.title, ...below.rows] : below.rows
}

export function belowOf(state: AppState, context: BelowContext, room: number): BelowComposer {
  const { theme, columns } = context
  if (state.watched)
    return titled(keyDebugLines(state.watched, { ...context, keyNames: state.keyNames }, Math.max(2, room)))
  if (state.picker) {
    const rows = listLines(pickerList(state.picker, state, theme), context, Math.max(2, room))
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
  return { kind: 'status', text: statusLine({ ...state, hint }, theme, columns) }
}

function titled([title = empty, ...rows]: readonly Styled[]): BelowComposer {
  return { kind: 'keys', title, rows }
}

/** The first rows of it, none wider than the screen; null where there is room for none. */
export function cutBelow(
  below: BelowComposer,
  { columns, room, ellipsis }: { columns: number; room: number; ellipsis: Ellipsis },
): BelowComposer | null {
  const shown = fitted(rowsOfBelow(below).slice(0, Math.max(0, room)), columns, ellipsis)
  const [first] = shown
  if (first === undefined) return null
  if (below.kind === 'status') return { ...below, text: first }
  return below.kind === 'keys' ? titled(shown) : { ...below, rows: shown }
}

/** An open list: its title and its filter in the place of the composer, and its rows below. */
import { ruleLine } from '../../src/style/list-window.ts'
import { isLow, type Panel, rowsOnly } from '../regions.ts'
import { listLines } from './list.ts'
import { titleLine } from './picker.ts'
import { specOf } from './table.ts'

/** Below a rule, where there is room for one. */
export const listTitle: Panel = {
  name: 'list title',
  draw(frame) {
    const { picker } = frame.state
    if (!picker) return null
    const { line, column } = titleLine(picker, frame)
    const rows = isLow(frame) ? [line] : [ruleLine(frame.theme, 0, frame.columns), line]
    return { pieces: [{ rows }], caret: { row: rows.length - 1, column } }
  },
}

export const list: Panel = {
  name: 'list',
  least: 2,
  draw(frame, room) {
    const { state, theme } = frame
    return state.picker && rowsOnly(listLines(specOf(state.picker).rows(state.picker, state, theme), frame, room))
  },
}

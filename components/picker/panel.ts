/** An open list: its title and its filter in the place of the composer, and its rows below. */
import { type Panel, rowsOnly } from '../regions.ts'
import { listLines } from './list.ts'
import { titleLine } from './picker.ts'
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
}

/** The last rows of the screen: a hint, or the status line with that of the user. */
import { noCommandHint } from '../../src/state/completion/popup.ts'
import type { LiveFrame } from '../live-frame.ts'
import { type Panel, rowsOnly } from '../regions.ts'
import { customStatusLine } from './custom-status.ts'
import { HINT_ROWS, hintRows, statusPanel } from './rows.ts'

/** A hint that does not fit in a row. A shorter one is in the place of the status line. */
export const hint: Panel<LiveFrame> = {
  name: 'hint',
  draw(frame, room) {
    const words = hintOf(frame)
    const rows = words === null ? [] : hintRows(frame.state, words, frame, Math.min(HINT_ROWS, room))
    return rows.length > 1 ? rowsOnly(rows) : null
  },
}

const line = statusPanel(customStatusLine)

export const status: Panel<LiveFrame> = {
  ...line,
  draw: (frame, ...room) => line.draw({ ...frame, state: { ...frame.state, hint: hintOf(frame) } }, ...room),
}

function hintOf({ state, commands }: Pick<LiveFrame, 'state' | 'commands'>): string | null {
  return state.hint ?? noCommandHint(state, commands)
}

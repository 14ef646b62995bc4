/** The rows of the completion popup. */
import { MOST_RANKED } from '../../src/composer/ranking.ts'
import { popupRows, type PopupRow } from '../../src/state/completion/popup.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { firstClauses } from '../../src/text/lines/clauses.ts'
import { shortenPath, truncate, type Ellipsis } from '../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { matchPaints, positionsLeft, withMatches } from '../../src/style/matched.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyFact, keysLine, windowOf } from '../../src/style/list-window.ts'
import { type Panel, type PanelFrame, rowsOnly } from '../regions.ts'

export const popup: Panel<PanelFrame & { commands: readonly SlashCommand[] }> = {
  name: 'popup',
  least: 3,
  draw({ state, theme, columns, commands }, room) {
    const rows = popupRows(state, commands)
    const look = { theme, columns, keyNames: state.keyNames }
    return rows.length === 0 ? null : rowsOnly(popupLines(rows, state.popup.selected, look, room))
  },
  /** The number of rows to choose from, once there are several; the chosen row, when that changes. */
  spoken(before, now, { commands }) {
    if (now.picker) return []
    const rows = popupRows(now, commands)
    const row = rows[now.popup.selected]
    if (now.popup.selected !== before.popup.selected)
      return row ? [oneLine(sanitize(`${row.label} ${row.detail}`))] : []
    // Files are found one after the other.
    const isFirstChoice = rows.length > 1 && !before.picker && popupRows(before, commands).length < 2
    return isFirstChoice
      ? [sanitize(`${rows.length} to choose from.${keyed(now.keyNames, ' {popup.take} lists them.')}`)]
      : []
  },
}

/** All rows if they fit, otherwise a window of them; at most twelve lines. */
export function popupLines(
  rows: readonly PopupRow[],
  selected: number,
  { theme, columns, keyNames }: { theme: Theme; columns: number; keyNames: KeyNames },
  room: number,
): Styled[] {
  const { ellipsis } = theme.signs
  const all = rows.length <= Math.min(12, room)
  const { from, shown } = windowOf(rows, selected, all ? rows.length : Math.min(12, room) - 1)
  const hasDetails = rows.some(row => row.detail !== '')
  const most = Math.max(10, hasDetails ? Math.floor(columns / 3) : columns - 4)
  const widest = rows.reduce((all, row) => Math.max(all, displayWidth(labelFor(row, most - 1))), 0)
  const labels = Math.min(widest + 2, most)
  const lines = shown.map((row, index) => {
    const chosen = from + index === selected
    const detail = firstClauses(oneLine(sanitize(row.detail)), Math.max(1, columns - labels - 4), ellipsis)
    const mark = chosen ? theme.accent(sanitize(theme.signs.chosen)) : drawn` `
    return drawn`  ${mark} ${labelOf(row, labels, chosen, theme)}${theme.dim(detail)}`
  })
  if (all) return lines
  const keys = [
    keyFact(
      `${kindOf(rows)} ${selected + 1} of ${rows.length < MOST_RANKED ? rows.length : `the first ${rows.length}`}`,
      2,
    ),
    keyFact(keyed(keyNames, '{popup.up} and {popup.down} choose'), 1),
    keyFact(keyed(keyNames, '{popup.take} completes'), 0),
  ]
  return [...lines, keysLine(keys, { theme, columns })]
}

/** The kind of the rows, in a word. */
function kindOf([first]: readonly PopupRow[]): string {
  if (first?.isPath === true) return 'file'
  return first?.label.startsWith('/') === true ? 'command' : 'choice'
}

/** The label, or its brief form if the label does not fit. */
function labelFor({ label, brief }: PopupRow, width: number): string {
  return displayWidth(label) <= width ? label : brief
}

function labelOf(row: PopupRow, width: number, chosen: boolean, theme: Theme): Styled {
  const { ellipsis } = theme.signs
  const label = labelFor(row, width - 1)
  const safe = oneLine(sanitize(label))
  const short = shortLabel(safe, row.isPath, width - 1, ellipsis)
  // The offsets do not fit if sanitising changed the label.
  const known = safe === label ? row.positions : []
  const positions = positionsLeft(known, { whole: safe, shown: short, mark: ellipsis })
  return withMatches(padTo(short, width), positions, matchPaints(theme, chosen))
}

/** A path loses the folders in its middle first, any other label its end. */
function shortLabel(label: SafeText, isPath: boolean, width: number, ellipsis: Ellipsis): SafeText {
  return isPath ? shortenPath(label, width, ellipsis) : truncate(label, width, ellipsis)
}

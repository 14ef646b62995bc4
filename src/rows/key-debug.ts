/** The rows of `/keys debug` below the composer. */
import type { SeenKey } from '../state/state.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth, padTo } from '../text/width.ts'
import { drawn, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { keyFact, keysLine } from '../style/window.ts'

const END = 'Ctrl+C ends it.'
const TITLE = [
  {
    ...keyFact(`Each key shows what the terminal sent, the key, and what it does; nothing is done. ${END}`, 1),
    shorter: keyFact(END, 0),
  },
]

/** A row for each key, the newest last, in at most this many rows. */
export function keyDebugLines(
  keys: readonly SeenKey[],
  { theme, columns }: { theme: Theme; columns: number },
  room: number,
): Styled[] {
  const { ellipsis } = theme.signs
  const shown = keys.slice(-Math.max(1, room - 1))
  const most = Math.floor(columns / 3)
  const bytes = widest(
    shown.map(key => key.bytes),
    most,
  )
  const names = widest(
    shown.map(key => key.key ?? NO_KEY),
    most,
  )
  const cell = (text: string, width: number): SafeText => padTo(truncate(safe(text), width, ellipsis), width)
  const lines = shown.map(({ bytes: sent, key, action }) => {
    const done = truncate(safe(action ?? ''), Math.max(1, columns - bytes - names - 10), ellipsis)
    return drawn`  ${theme.strong(cell(sent, bytes))}   ${cell(key ?? NO_KEY, names)}   ${theme.dim(done)}`
  })
  return [keysLine(TITLE, { theme, columns }), ...lines]
}

const safe = (text: string): SafeText => oneLine(sanitize(text))

function widest(cells: readonly string[], most: number): number {
  return Math.min(most, Math.max(0, ...cells.map(cell => displayWidth(safe(cell)))))
}

/** Input that is not a key: an answer, a report, or a key that the terminal uses itself. */
const NO_KEY = 'no key'

/** The line of the words that wait to reach the running turn. */
import { isAsked, isRunning } from '../../src/conversation/queries/silence.ts'
import { labelled } from '../../src/state/composer/chips.ts'
import type { AppState } from '../../src/state/state.ts'
import { GAP } from '../../src/style/facts-line.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyedLine } from '../../src/text/key-hints.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { Panel } from '../regions.ts'
import { rowOnly } from '../row-each.ts'

export const steers: Panel = {
  name: 'steers',
  draw: ({ state, theme, columns }) => rowOnly(steersLine(state, theme, columns)),
  spoken(before, now) {
    const words = waitWords(now)
    const isNew = now.steers.some(({ id }) => before.steers.every(each => each.id !== id))
    return words !== null && isNew ? [sanitize(words)] : []
  },
}

/** The columns that the words themselves get at least. */
const PREVIEW = 12

/** The words for the running turn on one line; null if there are none. */
export function steersLine(state: AppState, theme: Theme, width: number): Styled | null {
  const words = waitWords(state)
  if (words === null) return null
  const { steers: waiting, chips, keyNames, editor } = state
  const { ellipsis, newline } = theme.signs
  const quoted = waiting.map(({ entry }) => `"${oneLine(sanitize(labelled(entry.text, chips)), newline)}"`)
  const previews = quoted.length === 1 ? quoted.join('') : quoted.map((text, at) => `${at + 1} ${text}`).join(GAP)
  const takes = editor.text === '' && state.queue.entries.length === 0
  const key = takes ? keyedLine(keyNames, ['{composer.up} takes it back'], ', ') : ''
  const heads = [
    [words, key].filter(part => part !== '').join(GAP),
    words,
    waiting.length === 1 ? 'steers' : `${waiting.length} steer`,
  ]
  const roomOf = (head: string): number => width - displayWidth(head) - 2 - GAP.length
  const head = heads.find(each => roomOf(each) >= PREVIEW) ?? heads.at(-1) ?? ''
  const room = roomOf(head)
  const start = truncate(sanitize(`  ${head}`), width, ellipsis)
  return room < PREVIEW / 2
    ? theme.dim(start)
    : drawn`${theme.dim(start)}   ${theme.dim(truncate(sanitize(previews), room, ellipsis))}`
}

/** What the words wait for. */
function waitWords({ steers: waiting, chat }: AppState): string | null {
  const [first] = waiting
  if (!first) return null
  const { open } = chat
  const isCalling = open?.kind === 'turn' && open.parts.findLastIndex(isRunning, open.attemptStart) >= 0
  const what = waiting.every(({ isTakenBack }) => isTakenBack)
    ? 'on the way back to you'
    : !first.isSent
      ? 'preparing (hooks, files)'
      : isAsked(chat)
        ? 'after your answer'
        : isCalling
          ? 'waits for the running call'
          : 'waits for the next step'
  return waiting.length === 1 ? `steers: ${what}` : `${waiting.length} steer: ${what.replace('waits', 'wait')}`
}

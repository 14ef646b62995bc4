/** The line about another conversation that asks something or has ended. */
import { newsLineOf } from '../../state/conversations/news.ts'
import type { AppState } from '../../state/state.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { GAP } from '../../style/facts-line.ts'
import { drawn, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { stateSign } from '../status/conversations.ts'

/** Null if there are no news. A narrow line shortens the words, and keeps the key. */
export function newsLine(state: AppState, theme: Theme, size: { columns: number; rows: number }): Styled | null {
  const line = newsLineOf(state, size)
  if (!line) return null
  const { row, name, words, key, more } = line
  const paint = row.state === 'asks' ? theme.warning : row.state === 'failed' ? theme.failed : theme.ok
  const count = more > 0 ? `+${more}` : ''
  const behind = sanitize([key, count].filter(part => part !== '').join(GAP))
  const { ellipsis, newline } = theme.signs
  const room = size.columns - 2 - (behind === '' ? 0 : displayWidth(behind) + GAP.length)
  const told = truncate(oneLine(sanitize(`${name} ${words}`), newline), Math.max(1, room), ellipsis)
  const all = drawn`${paint(stateSign(row.state, theme))} ${told}${sanitize(behind === '' ? '' : GAP)}${theme.dim(behind)}`
  return truncate(all, size.columns, ellipsis)
}

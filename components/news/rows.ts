/** The line about another conversation that asks something or has ended. */
import { newsKey, newsLineOf, placeOf } from '../../src/state/conversations/news.ts'
import type { AppState } from '../../src/state/state.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { GAP } from '../../src/style/facts-line.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { rowOnly, type RowPanel } from '../row-each.ts'
import { spoken } from '../../src/text/spoken.ts'
import { stateSign, stateWords } from '../status/conversations.ts'

/** Its key may answer a call: it must not be out of sight. */
export const news: RowPanel = {
  name: 'news',
  isUrgent: true,
  draw: frame => rowOnly(newsLine(frame.state, frame.theme, frame)),
  spoken: (_before, now, { former }) => newsInWords(former, now),
}

/** Columns before the key below which there is room for the place of the conversation only. */
const ROOM_FOR_WORDS = 8

/** Null if there are no news. A narrow line shortens the title, then the words, and keeps the key. */
export function newsLine(state: AppState, theme: Theme, size: { columns: number; rows: number }): Styled | null {
  const line = newsLineOf(state, size)
  if (!line) return null
  const { row, name, words, key, more } = line
  const paint = row.state === 'asks' ? theme.warning : row.state === 'failed' ? theme.failed : theme.ok
  const count = more > 0 ? `+${more}` : ''
  const behind = sanitize([key, count].filter(part => part !== '').join(GAP))
  const { ellipsis, newline } = theme.signs
  const room = size.columns - 2 - (behind === '' ? 0 : displayWidth(behind) + GAP.length)
  const happened = oneLine(sanitize(words), newline)
  const half = Math.max(Math.floor(room / 2), room - displayWidth(happened) - 1)
  const who = truncate(oneLine(sanitize(name), newline), Math.max(1, half), ellipsis)
  const shown =
    room < ROOM_FOR_WORDS ? sanitize(placeOf(row)) : truncate(oneLine(sanitize(`${who} ${happened}`)), room, ellipsis)
  const all = drawn`${paint(stateSign(row.state, theme))} ${shown}${sanitize(behind === '' ? '' : GAP)}${theme.dim(behind)}`
  return truncate(all, size.columns, ellipsis)
}

/** News about other conversations that concerns the user. */
function newsInWords({ conversations: before, news: earlier }: AppState, now: AppState): SafeText[] {
  const { conversations } = now
  const known = new Set(earlier.map(each => newsKey([each])))
  const inBackground = now.news
    .filter(each => each.row.number === 0 && !known.has(newsKey([each])))
    .map(({ row }) => ['conversation in the background', row.title, stateWords[row.state], row.call?.subject ?? ''])
  const own = conversations.flatMap(({ number, title, state, isShown, call }) => {
    const isNews = state === 'asks' || state === 'done' || state === 'failed'
    if (isShown || !isNews || before[number - 1]?.state === state) return []
    const words = [`conversation ${number}`, title, stateWords[state], call?.subject ?? '']
    return [words]
  })
  return [...own, ...inBackground].map(words => spoken(words.map(word => oneLine(sanitize(word)))))
}

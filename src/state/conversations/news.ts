/** The line that says what another conversation asks, or that it has ended, and what its key does. */
import { keyed } from '../../text/key-hints.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { displayWidth } from '../../text/lines/width.ts'
import { visibleQuestion, type AppState } from '../state.ts'
import type { ConversationRow, News } from './conversations.ts'

/** The parts of the line, unsanitised, and what its key does. */
export type NewsLine = {
  row: ConversationRow
  name: string
  /** The words after the name. */
  words: string
  /** The effect of the key, with its name; empty if it has none. */
  key: string
  /** `allows` only if the line shows the whole call. */
  does: 'allows' | 'opens'
  /** The number of other conversations with news. */
  more: number
}

/** The height of a terminal in rows from which on there is room for the line. */
const LEAST_ROWS = 8
/** Characters of a title in the line. */
const TITLE = 30

const ORDER: readonly ConversationRow['state'][] = ['asks', 'failed', 'done']

export const isNews = ({ isShown, state }: ConversationRow): boolean => !isShown && ORDER.includes(state)

/** Those that ask first, and among equal ones the newest. */
export function sortedNews(news: readonly News[]): readonly News[] {
  return news.toSorted(
    (one, other) => ORDER.indexOf(one.row.state) - ORDER.indexOf(other.row.state) || other.at - one.at,
  )
}

/** Identifies a piece of news: a key that was pressed for one must not act on another. */
export function newsKey(news: readonly News[]): string {
  const [first] = news
  return first ? [first.row.number, first.row.backgroundId, first.row.state, first.row.call?.id].join(' ') : ''
}

/** The line for a terminal of this size; null if there are no news. An end that the user has read of is none. */
export function newsLineOf(
  state: Pick<AppState, 'news' | 'newsReadAt' | 'keyNames' | 'question' | 'picker' | 'page' | 'watched'>,
  { columns, rows }: { columns: number; rows: number },
): NewsLine | null {
  const unread = state.news.filter(({ row, at }) => row.state === 'asks' || at > state.newsReadAt)
  const [first] = unread
  if (!first) return null
  const { row } = first
  const more = unread.length - 1
  const subject = row.call?.subject ?? ''
  const opens = keyed(state.keyNames, '{composer.news} opens it')
  const allows = keyed(state.keyNames, '{composer.news} allows it once')
  const isCovered = visibleQuestion(state) !== null || state.picker !== null || rows < LEAST_ROWS
  if (row.call?.isWhole === true && !isCovered && allows !== '' && oneLine(sanitize(subject)) === subject) {
    const words = `asks: ${subject}`
    for (const name of [nameOf(row, TITLE), nameOf(row, 0)]) {
      const parts = [name, words].join(' ')
      const counted = more > 0 ? GAP_WIDTH + `+${more}`.length : 0
      const width = SIGN + displayWidth(oneLine(sanitize(parts))) + GAP_WIDTH + displayWidth(sanitize(allows)) + counted
      if (width <= columns) return { row, name, words, key: allows, does: 'allows', more }
    }
  }
  return { row, name: nameOf(row, TITLE), words: wordsOf(row), key: opens, does: 'opens', more }
}

/** Columns of the sign before the name with its blank, and of the gap before a key. */
const SIGN = 2
const GAP_WIDTH = 3

function wordsOf({ state, call, since }: ConversationRow): string {
  if (state === 'asks') return call ? `asks: ${call.subject}` : 'asks you something'
  // The end of one in the background may be unknown.
  return state === 'failed' ? 'has failed' : since === null ? 'has ended' : 'is done'
}

/** Its number, or `&` in the background. */
export const placeOf = ({ number }: ConversationRow): string => (number > 0 ? String(number) : '&')

/** Its place, and the beginning of its title. */
function nameOf(row: ConversationRow, most: number): string {
  const place = placeOf(row)
  const { title } = row
  const words = truncate(oneLine(sanitize(title)), most)
  return words === '' ? `Conversation ${place}` : `${place} ${words}`
}

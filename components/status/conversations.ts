/** The other conversations: signs in the status line, and a line in the scrollback where one begins. */
import { shownRow, type ConversationRow, type ConversationState } from '../../src/state/conversations/conversations.ts'
import type { AppState } from '../../src/state/state.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { drawn, indented, joinStyled, type Paint, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'

export const stateWords: Readonly<Record<ConversationState, string>> = {
  starting: 'starting',
  working: 'working',
  waiting: 'in line',
  asks: 'asks you',
  done: 'done',
  failed: 'failed',
  idle: '',
  resting: '',
}

/** The sign of a conversation's state; empty if it does nothing. */
export function stateSign(state: ConversationState, { signs }: Pick<Theme, 'signs'>): SafeText {
  const table: Readonly<Record<ConversationState, string>> = {
    starting: signs.begun,
    working: signs.begun,
    waiting: signs.waiting,
    asks: '?',
    done: signs.done,
    failed: signs.failed,
    idle: '',
    resting: '',
  }
  return sanitize(table[state])
}

function paintedSign(state: ConversationState, theme: Theme): Styled {
  const { running, warning, ok, failed, dim } = theme
  const paints: Partial<Record<ConversationState, Paint>> = {
    working: running,
    starting: running,
    asks: warning,
    done: ok,
    failed,
  }
  return (paints[state] ?? dim)(stateSign(state, theme))
}

/** The most conversations with a sign each; the signs of more are counted. */
const MOST_SIGNS = 9

/** The signs of the other conversations after their numbers, or null. A narrow line counts those that ask. */
export function conversationsFact({ conversations }: Pick<AppState, 'conversations'>, theme: Theme): Fact | null {
  const others = conversations.filter(({ isShown }) => !isShown)
  if (others.length === 0) return null
  const parts = others.length > MOST_SIGNS ? counted(others, theme) : others.map(row => numbered(row, theme))
  const asking = others.filter(({ state }) => state === 'asks').length
  const asks = asking === 0 ? drawn`` : theme.warning(sanitize(`${asking}?`))
  return { text: joinStyled(parts, ' '), rank: 4, shorter: { text: asks, rank: 0 } }
}

function numbered({ number, state }: ConversationRow, theme: Theme): Styled {
  return drawn`${theme.dim(sanitize(String(number)))}${paintedSign(state, theme)}`
}

const COUNTED = ['asks', 'failed', 'working', 'waiting', 'done'] as const

function counted(rows: readonly ConversationRow[], theme: Theme): Styled[] {
  const total = theme.dim(sanitize(`+${rows.length}`))
  const signs = COUNTED.flatMap(state => {
    const number = rows.filter(row => row.state === state).length
    return number === 0 ? [] : [drawn`${theme.dim(sanitize(String(number)))}${paintedSign(state, theme)}`]
  })
  return [total, ...signs]
}

/** The line in the scrollback where another conversation begins. */
export type ConversationLine = Pick<ConversationRow, 'number' | 'title' | 'folder' | 'branch'> & {
  kind: 'conversation'
  /** The whole turns above the part that is printed again; null if all of it is printed. */
  above: number | null
}

export function conversationLine(
  state: Pick<AppState, 'conversations' | 'startup'>,
  above: number | null,
): ConversationLine {
  const { folder, branch, conversation = 1 } = state.startup
  const { number, title } = shownRow(state) ?? { number: conversation, title: '' }
  return { kind: 'conversation', number, title, folder, branch, above }
}

export function conversationLines(line: ConversationLine, names: KeyNames, theme: Theme, width: number): Styled[] {
  const { ellipsis, above } = theme.signs
  const words = placeWords(line, theme)
  const more =
    line.above === null
      ? []
      : [indented(2, theme.dim(truncate(aboveWords(line.above, names, above), Math.max(1, width - 2), ellipsis)))]
  if (theme.isSpoken) return [drawn`${words}`, ...more]
  const rule = theme.markdown.unicode ? '─' : '-'
  const room = Math.max(1, width - 6)
  const ends = sanitize(rule.repeat(2))
  return [theme.accent(drawn`${ends} ${truncate(words, room, ellipsis)} ${ends}`), ...more]
}

function placeWords({ number, title, folder, branch }: ConversationLine, { gap }: Theme): SafeText {
  const name = title === '' ? `conversation ${number}` : `${number} ${title}`
  return oneLine(sanitize([name, folder, branch ?? ''].filter(part => part !== '').join(gap)))
}

function aboveWords(turns: number, names: KeyNames, sign: string): SafeText {
  const what = turns === 0 ? 'The beginning is above' : turns === 1 ? '1 turn is above' : `${turns} turns are above`
  return sanitize(`${sign} ${what}${keyed(names, ': {composer.view} shows all')}.`)
}

/** A question of /serve, with its number in large digits. */
import { drawn, empty, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { keyedLine } from '../../../src/text/key-hints.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { grouped, largeNumber } from './digits.ts'
import { askWords, numberOf, viewOf, yesWords, type AskItem } from './items.ts'
import type { ServeReading } from './reading.ts'

/** All rows of the question that a yes or no answers; one of another. */
export function askRows(item: AskItem, reading: ServeReading, room: number): Styled[] {
  const { ask, context } = reading
  const { theme } = context
  const words = oneLine(sanitize(askWords(item.asked)))
  if (ask?.key !== item.key) return [drawn`${words}`]
  const dim = (text: string): Styled[] => wrap(oneLine(sanitize(text)), room).map(line => theme.dim(line))
  return [
    ...wrap(words, room).map(line => theme.strong(line)),
    ...dim(fromWords(item)),
    ...numberRows(numberOf(item.asked), theme, room),
    ...wrap(sanitize(yesWords(item.asked)), room).map(line => drawn`${line}`),
    ...(isAgentAtWork(reading) ? wrap(sanitize(AT_WORK), room).map(line => theme.warning(line)) : []),
    answersRow(reading),
    empty,
  ]
}

const AT_WORK = 'An agent is at work: a command of it could read this screen, and press keys in a terminal like tmux.'

function fromWords({ asked: { ask } }: AskItem): string {
  return ask.kind === 'pair' || ask.kind === 'admit' ? `from ${ask.from}` : ''
}

/** A number that the screen has no room for in large digits stands in plain ones. */
function numberRows(number: string, theme: Theme, room: number): Styled[] {
  if (number === '') return []
  const large = largeNumber(number, theme.markdown.unicode)
  const rows = large.some(row => displayWidth(row) > room) ? [sanitize(grouped(number))] : large
  return [empty, ...rows.map(row => theme.accent(row)), empty]
}

/** They come when they count. */
function answersRow({ view, ask, app, context: { theme } }: ServeReading): Styled {
  const isArmed = ask !== null && view.armed === ask.key
  return isArmed ? theme.accent(sanitize(keyedLine(app.keyNames, ['{serve.yes} yes', '{serve.no} no']))) : empty
}

/** The server knows of all conversations, and this zotui at least of its own. */
function isAgentAtWork({ app, view }: ServeReading): boolean {
  return (
    (viewOf(view.server)?.atWork ?? 0) > 0 ||
    app.chat.open !== null ||
    app.conversations.some(({ state }) => state === 'working')
  )
}

/** The end of a turn: why it ended, the files that it changed, and what it cost. */
import { counted } from '../text/counted.ts'
import { errorOfTurn, providerMessage } from '../conversation/queries/provider-error.ts'
import { stopWords } from '../conversation/queries/stop-words.ts'
import type { CutOff, Turn } from '../conversation/state.ts'
import { type Fact, fitting, widthOf } from '../style/facts-line.ts'
import { indented, joinStyled, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { keyed } from '../text/key-hints.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { sanitize } from '../text/sanitize.ts'
import { sentence } from '../text/sentence.ts'
import { wrap } from '../text/lines/wrap.ts'
import { body, signed, type ItemContext } from './entry-lines.ts'
import { changedNames, changeFacts } from './turn-changes.ts'

export function turnEndLines(turn: Turn, context: ItemContext): Styled[] {
  const { theme } = context
  const facts = turnFacts(turn, context)
  const { outcome, error, stop } = turn
  if (outcome === 'refused') {
    const what = sanitize(sentence(`the prompt was rejected: ${error ?? ''}`))
    const back = context.keyNames ? keyed(context.keyNames, ' Press {composer.up} to get the text back.') : ''
    const hint = `Nothing was sent to the model.${back}`
    return signed(theme.failed, theme.signs.failed, what, hint, context)
  }
  if (outcome === 'failed') return [...failureLines(turn, context), ...facts]
  const reason = turn.stopReason === null ? null : stopWords(turn.stopReason)
  if (outcome === null || outcome === 'done') {
    if (reason !== null) return [...signed(theme.warning, '!', sanitize(reason), SEND_ON, context), ...facts]
    return stop === 'length' ? [...signed(theme.warning, '!', CUT_OFF, SEND_ON, context), ...facts] : facts
  }
  const [cutOff, hint] = STOPPED[outcome]
  const words = turn.stoppedFrom === undefined || outcome !== 'aborted' ? cutOff : `Stopped from ${turn.stoppedFrom}.`
  // There is no prompt to send again.
  const shown = turn.unprompted ? '' : hint
  return [...signed(theme.warning, theme.signs.stopped, sanitize(words), shown, context), ...facts]
}

const SEND_ON = 'Send "continue" to continue.'
const CUT_OFF = sanitize("The answer was cut off at the model's output limit.")

/** The end of a stopped turn in words, and a hint. */
const STOPPED: Readonly<Record<'aborted' | CutOff, readonly [words: string, hint: string]>> = {
  aborted: ['Stopped.', '/retry sends the prompt again.'],
  agent_ended: ['Interrupted: the agent exited.', ''],
  zotui_ended: ['Interrupted: zotui exited during this turn.', '/retry sends the prompt again.'],
}

/** An explanation, the provider's own message, and what to do now. */
function failureLines(turn: Turn, context: ItemContext): Styled[] {
  const { theme, width, whole = false } = context
  const { what, hint } = errorOfTurn(turn)
  const said = body(sanitize(providerMessage(turn.error ?? '').trim()), width, theme.dim).slice(
    0,
    whole ? undefined : SAID_ROWS,
  )
  return [
    ...signed(theme.failed, theme.signs.failed, sanitize(what), '', context),
    ...said,
    ...body(sanitize(hint), width),
  ]
}

/** Rows shown of a provider's message. */
const SAID_ROWS = 4

/** One line; a reading of everything, and text for a screen reader, add the tokens and the time to the first of them. */
function turnFacts(turn: Turn, { theme, width, whole = false, takesCommands = false }: ItemContext): Styled[] {
  const { startedAt, endedAt } = turn
  const { gap, isSpoken } = theme
  const tools = [...turn.parts].filter(part => part.kind === 'tool' && !part.withdrawn).length
  const room = Math.max(2, width - 2)
  const facts: [string, number][] = [
    [clock(startedAt), 1],
    [formatDuration((endedAt ?? startedAt) - startedAt), 0],
    [costFact(turn, theme.signs.atLeast), 3],
    [tools === 0 ? '' : counted(tools, 'tool'), 4],
  ]
  const all: Fact[] = [
    ...facts.map(([text, rank]) => ({ text: theme.dim(sanitize(text)), rank })),
    ...changeFacts(turn, theme, 2),
  ]
  // Text for a screen reader is never cut.
  const most = isSpoken ? Infinity : room
  const shown = fitting(all, most, gap)
  const files = changedNames(turn, { theme, room: most - widthOf(shown, gap), takesCommands })
  const line = joinStyled([...shown.map(({ text }) => text), ...files], gap)
  const more = isSpoken || whole ? tokenFacts(turn, theme) : []
  const below = more.length === 0 ? [] : [theme.dim(sanitize(more.join(gap)))]
  const lines = isSpoken ? [joinStyled([line, ...below], gap)] : [line, ...below]
  return lines.flatMap(each => wrap(each, room)).map(each => indented(2, each))
}

/** The tokens of the turn, the time to the first of them, and that its cost is unknown. */
function tokenFacts({ usage, startedAt, firstTokenAt }: Turn, { signs }: Theme): string[] {
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  return [
    firstTokenAt === null ? '' : `first token ${formatDuration(firstTokenAt - startedAt)}`,
    sent + usage.output === 0 ? '' : `${signs.up}${formatTokens(sent)} ${signs.down}${formatTokens(usage.output)}`,
    usage.cacheRead === 0 ? '' : `${formatPercent(usage.cacheRead / sent)} cached`,
    usage.costUsd === null ? 'cost unknown' : '',
  ].filter(fact => fact !== '')
}

function costFact({ usage: { costUsd }, costIsPartial }: Turn, atLeast: string): string {
  if (costUsd === null || costUsd === 0) return ''
  return `${costIsPartial ? atLeast : ''}${formatCost(costUsd)}`
}

function clock(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

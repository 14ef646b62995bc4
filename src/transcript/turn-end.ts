/** The end of a turn: why it ended, the files that it changed, and what it cost. */
import { counted } from '../text/counted.ts'
import { providerErrorOf, providerMessage } from '../conversation/queries/provider-error.ts'
import { stopWords } from '../conversation/queries/stop-words.ts'
import type { CutOff, Turn } from '../conversation/state.ts'
import { factsLine } from '../style/facts-line.ts'
import { indented, type Styled } from '../style/styled.ts'
import { keyed } from '../text/key-hints.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { sanitize } from '../text/sanitize.ts'
import { sentence } from '../text/sentence.ts'
import { wrap } from '../text/lines/wrap.ts'
import { body, signed, type ItemContext } from './entry-lines.ts'
import { turnChangesLine } from './turn-changes.ts'

export function turnEndLines(turn: Turn, context: ItemContext): Styled[] {
  const { theme, width, takesCommands = false } = context
  const changes = turnChangesLine(turn, { theme, width: width - 2, offersDiff: takesCommands })
  // Text for a screen reader is never cut.
  const named = changes === null ? [] : theme.isSpoken ? wrap(changes, Math.max(2, width - 2)) : [changes]
  const facts = [...named.map(line => indented(2, line)), turnFacts(turn, context)]
  const { outcome, error, stop } = turn
  if (outcome === 'refused') {
    const what = sanitize(sentence(`the prompt was rejected: ${error ?? ''}`))
    const back = context.keyNames ? keyed(context.keyNames, ' Press {composer.up} to get the text back.') : ''
    const hint = `Nothing was sent to the model.${back}`
    return signed(theme.failed, theme.signs.failed, what, hint, context)
  }
  if (outcome === 'failed') return [...failureLines(error ?? '', context), ...facts]
  const reason = turn.stopReason === null ? null : stopWords(turn.stopReason)
  if (outcome === null || outcome === 'done') {
    if (reason !== null) return [...signed(theme.warning, '!', sanitize(reason), SEND_ON, context), ...facts]
    return stop === 'length' ? [...signed(theme.warning, '!', CUT_OFF, SEND_ON, context), ...facts] : facts
  }
  const [words, hint] = STOPPED[outcome]
  return [...signed(theme.warning, theme.signs.stopped, sanitize(words), hint, context), ...facts]
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
function failureLines(error: string, context: ItemContext): Styled[] {
  const { theme, width, whole = false } = context
  const { what, hint } = providerErrorOf(error)
  const said = body(sanitize(providerMessage(error).trim()), width, theme.dim).slice(0, whole ? undefined : SAID_ROWS)
  return [
    ...signed(theme.failed, theme.signs.failed, sanitize(what), '', context),
    ...said,
    ...body(sanitize(hint), width),
  ]
}

/** Rows shown of a provider's message. */
const SAID_ROWS = 4

function turnFacts(turn: Turn, { theme, width }: ItemContext): Styled {
  const { usage, startedAt, endedAt, firstTokenAt } = turn
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const tools = [...turn.parts].filter(part => part.kind === 'tool' && !part.withdrawn).length
  const tokens = `${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`
  const facts: [string, number][] = [
    [clock(startedAt), 2],
    [formatDuration((endedAt ?? startedAt) - startedAt), 0],
    [firstTokenAt === null ? '' : `first token ${formatDuration(firstTokenAt - startedAt)}`, 6],
    [sent + usage.output === 0 ? '' : tokens, 4],
    [usage.cacheRead === 0 ? '' : `${formatPercent(usage.cacheRead / sent)} cached`, 5],
    [costFact(turn, theme.signs.atLeast), 1],
    [tools === 0 ? '' : counted(tools, 'tool'), 3],
  ]
  const line = factsLine(
    facts.map(([text, rank]) => ({ text: sanitize(text), rank })),
    width - 2,
    theme.gap,
  )
  return indented(2, theme.dim(line))
}

function costFact({ usage: { costUsd }, costIsPartial }: Turn, atLeast: string): string {
  if (costUsd === null) return 'cost unknown'
  return costUsd === 0 ? '' : `${costIsPartial ? atLeast : ''}${formatCost(costUsd)}`
}

function clock(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

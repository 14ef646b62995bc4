/** A finished piece of the conversation as lines. */
import type { Compaction, Notice, Turn } from '../chat/state.ts'
import { renderBlock } from '../markdown/render.ts'
import type { MarkdownStyle } from '../markdown/style.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { sanitize, sanitizeTerminalOutput, type SafeText } from '../text/sanitize.ts'
import { sentence } from '../text/sentence.ts'
import { wrap } from '../text/wrap.ts'
import { explainError } from './explain.ts'
import { drawn, fitted, indented, trusted, type Paint, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'
import type { Item } from './timeline.ts'
import { renderTool } from './tool.ts'

/** Columns before what the agent says; code has none, so that a selection copies it as it is. */
export const PROSE_INDENT = 2

export type ItemContext = { theme: Theme; markdown: MarkdownStyle; width: number }

/** Lines, none wider than `width`; the blank line before them is the caller's (`hasGap`). */
export function renderItem(item: Item, context: ItemContext): Styled[] {
  return fitted(itemLines(item, context), context.width)
}

function itemLines(item: Item, context: ItemContext): Styled[] {
  const { theme, width } = context
  switch (item.kind) {
    case 'prompt':
      return promptLines(item.turn, context)
    case 'block':
      return renderBlock(item.block, { width, style: context.markdown, indent: PROSE_INDENT }).map(trusted)
    case 'tool':
      return renderTool(item.tool, item.nested, { theme, width, now: 0, maxBody: 40 })
    case 'withdrawn':
      return [
        indented(
          2,
          theme.dim(sanitize(`${theme.signs.up} withdrawn${item.retry === null ? '' : `, retry ${item.retry}`}`)),
        ),
      ]
    case 'notice':
      return noticeLines(item.notice, context)
    case 'turn_end':
      return turnEndLines(item.turn, context)
    case 'compaction':
      return compactionLines(item.compaction, context)
    case 'cleared':
      return [theme.dim(sanitize('A new conversation begins here: the agent has forgotten what stands above.'))]
    case 'agent_ended':
      return trouble(theme.failed, theme.signs.failed, sentence(item.reason), sentence(item.hint), context)
  }
}

/** Whether a blank line stands between two pieces. */
export function hasGap(previous: Item | null, next: Item): boolean {
  if (!previous) return true
  if (next.kind === 'tool' && previous.kind === 'tool') return false
  if (next.kind === 'notice' && previous.kind === 'notice') return next.notice.text.includes('\n')
  // Within a text the blocks say themselves where a blank line stands.
  if (next.kind === 'block') return next.first
  return next.kind !== 'withdrawn'
}

function promptLines(turn: Turn, { theme, width }: ItemContext): Styled[] {
  const images = turn.images.map(image => `[image: ${image.mimeType}, ${image.bytes} bytes]`).join(' ')
  const words = sanitize([turn.prompt, images].filter(part => part !== '').join('\n'))
  const rows = wrapped(words, width - 2)
  // What was pasted is known to who pasted it: its beginning is enough to find it again.
  const shown = rows.length > PROMPT_ROWS ? rows.slice(0, PROMPT_ROWS - 1) : rows
  const lines = shown.map((line, index) =>
    index === 0
      ? drawn`${theme.accent(sanitize(theme.signs.prompt))} ${theme.strong(line)}`
      : indented(2, theme.strong(line)),
  )
  const hidden = rows.length - shown.length
  return hidden === 0 ? lines : [...lines, indented(2, theme.dim(sanitize(`+${hidden} lines`)))]
}

/** Rows of a prompt that are shown. */
const PROMPT_ROWS = 16

export function noticeLines(notice: Notice, { theme, width }: ItemContext): Styled[] {
  const paint: Record<Notice['level'], Paint> = {
    info: text => drawn`${text}`,
    success: theme.ok,
    warn: theme.warning,
    error: theme.failed,
  }
  const sign = { info: '', success: `${theme.signs.done} `, warn: '! ', error: `${theme.signs.failed} ` }[notice.level]
  const source = notice.source === null ? '' : `${notice.source}: `
  // An extension may colour what it says; that is no attack, and it is left out.
  const text = notice.source === null ? sanitize(notice.text) : sanitizeTerminalOutput(`${source}${notice.text}`)
  const lines = wrapped(text, width - sign.length)
  const shown = lines.map((line, index) =>
    index === 0
      ? drawn`${paint[notice.level](sanitize(sign))}${line}`
      : drawn`${sanitize(' '.repeat(sign.length))}${line}`,
  )
  return notice.hint === null
    ? shown
    : [...shown, ...wrapped(sanitize(notice.hint), width - 2).map(line => indented(2, theme.dim(line)))]
}

function turnEndLines(turn: Turn, context: ItemContext): Styled[] {
  const { theme } = context
  const facts = theme.dim(sanitize(turnFacts(turn, theme)))
  switch (turn.outcome) {
    case 'refused':
      return trouble(
        theme.failed,
        theme.signs.failed,
        `The prompt was not taken: ${turn.error ?? ''}`,
        'Nothing was sent to the model; Up brings the text back.',
        context,
      )
    case 'failed': {
      const { what, hint } = explainError(turn.error ?? '')
      return [...trouble(theme.failed, theme.signs.failed, what, hint, context, turn.error ?? ''), indented(2, facts)]
    }
    case 'aborted':
      return [
        drawn`${theme.warning(sanitize(`${theme.signs.stopped} Stopped.`))} ${theme.dim(sanitize('/retry sends the prompt again.'))}`,
        indented(2, facts),
      ]
    case 'agent_ended':
      return [
        drawn`${theme.warning(sanitize(`${theme.signs.stopped} The agent ended in the middle of this.`))}`,
        indented(2, facts),
      ]
    case 'done':
    case null:
      if (turn.stop !== 'length') return [indented(2, facts)]
      return [
        drawn`${theme.warning(sanitize('! The answer was cut off at the model’s output limit.'))} ${theme.dim(sanitize('Say "go on" to continue.'))}`,
        indented(2, facts),
      ]
  }
}

function turnFacts(turn: Turn, theme: Theme): string {
  const { usage, startedAt, endedAt, firstTextAt } = turn
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const tools = turn.parts.filter(part => part.kind === 'tool' && !part.withdrawn).length
  return [
    clock(startedAt),
    formatDuration((endedAt ?? startedAt) - startedAt),
    firstTextAt === null ? '' : `first word ${formatDuration(firstTextAt - startedAt)}`,
    sent + usage.output === 0
      ? ''
      : `${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`,
    usage.cacheRead === 0 ? '' : `${formatPercent(usage.cacheRead / sent)} cached`,
    usage.costUsd === 0 ? '' : formatCost(usage.costUsd),
    tools === 0 ? '' : `${tools} tool${tools === 1 ? '' : 's'}`,
  ]
    .filter(fact => fact !== '')
    .join('   ')
}

function clock(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

function compactionLines(compaction: Compaction, context: ItemContext): Styled[] {
  const { theme, width } = context
  switch (compaction.outcome) {
    case 'failed':
      return trouble(
        theme.warning,
        '!',
        `Not compacted: ${compaction.error ?? ''}`,
        'The conversation is as it was.',
        context,
      )
    case 'aborted':
      return [theme.warning(sanitize(`${theme.signs.stopped} Compacting was stopped; the conversation is as it was.`))]
    case 'running':
    case 'done': {
      const time = compaction.endedAt === null ? '' : ` in ${formatDuration(compaction.endedAt - compaction.startedAt)}`
      const before =
        compaction.contextBefore === null
          ? ''
          : ` ${formatTokens(compaction.contextBefore)} tokens became about ${formatTokens(estimatedTokens(compaction.summary))}, and the last messages.`
      const title = drawn`${theme.ok(sanitize(theme.signs.done))} Compacted${sanitize(time)}.${theme.dim(sanitize(before))}`
      const summary = wrapped(sanitize(compaction.summary.trim()), width - 4)
      const shown = summary.slice(0, 6).map(line => indented(4, theme.dim(line)))
      const more = summary.length > 6 ? [indented(4, theme.dim(sanitize(`+${summary.length - 6} lines`)))] : []
      return [title, ...shown, ...more]
    }
  }
}

/** Four characters a token is what most tokenizers come to for prose. */
function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** What happened and what to do; `raw` is what the other side said, as far as it is not said already. */
function trouble(
  paint: Paint,
  sign: string,
  what: string,
  hint: string,
  { theme, width }: ItemContext,
  raw = '',
): Styled[] {
  const first = wrapped(sanitize(what), width - 2).map((line, index) =>
    index === 0 ? drawn`${paint(sanitize(sign))} ${line}` : indented(2, line),
  )
  const said = wrapped(sanitize(raw.trim()), width - 2)
    .slice(0, 4)
    .map(line => indented(2, theme.dim(line)))
  const hints = hint === '' ? [] : wrapped(sanitize(hint), width - 2).map(line => indented(2, line))
  return [...first, ...(raw.trim() === '' ? [] : said), ...hints]
}

function wrapped(text: SafeText, width: number): SafeText[] {
  return wrap(text, Math.max(2, width))
}

import type { Compaction, Notice, Shell, Turn } from '../conversation/state.ts'
import { providerMessage, providerErrorOf } from '../conversation/provider-error.ts'
import { renderBlock, renderMarkdown } from '../markdown/render.ts'
import type { MarkdownStyle } from '../markdown/style.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { estimateTokens } from '../text/tokens.ts'
import { linesOf, oneLine, sanitize, sanitizeTerminalOutput, type SafeText } from '../text/sanitize.ts'
import { sentence } from '../text/sentence.ts'
import { truncate } from '../text/shorten.ts'
import { wrap } from '../text/wrap.ts'
import { factsLine } from '../style/facts.ts'
import { rawLines } from './raw.ts'
import { drawn, empty, fitted, indented, type Paint, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { Item } from './timeline.ts'
import { renderTool, type ToolContext } from '../tools/panel.ts'
import { turnChangesLine } from './turn-changes.ts'
import type { Detail } from '../tools/detail.ts'

/** Columns before the agent's text. */
export const PROSE_INDENT = 2

export type ItemContext = {
  theme: Theme
  markdown: MarkdownStyle
  width: number
  detail?: Detail
  /** Rows of the screen. */
  rows?: number
  /** Shows everything, however long. */
  whole?: boolean
  /** What happens to tool output that is not in memory. */
  rest?: ToolContext['rest'] | undefined
  /** Shows the raw source, with lines broken by the `terminal` or at the `width`. */
  raw?: 'terminal' | 'width' | null
  /** Whether the reader can type commands. */
  takesCommands?: boolean
}

/** The lines of an item, none wider than `width` except raw ones; the caller adds the blank line before them (`hasGap`). */
export function renderItem(item: Item, context: ItemContext): Styled[] {
  if (item.kind === 'raw') return linesOf(sanitize(item.text)).map(line => drawn`${line}`)
  const { theme, detail = 'short', whole, width, raw = null } = context
  const shown = { theme, detail: whole ? ('full' as const) : detail, width: raw === 'terminal' ? null : width }
  const source = raw === null ? null : rawLines(item, shown)
  if (source) return source
  return fitted(itemLines(item, context), context.width, context.theme.signs.ellipsis)
}

function itemLines(item: Exclude<Item, { kind: 'raw' }>, context: ItemContext): Styled[] {
  const { theme, width } = context
  switch (item.kind) {
    case 'prompt':
      return promptLines(item.turn, context)
    case 'block':
      return blockLines(item, context)
    case 'markup':
      return []
    case 'tool':
      return renderTool(item.tool, item.nested, panelContext(context))
    case 'shell':
      return shellLines(item.shell, panelContext(context), context.rows)
    case 'withdrawn': {
      const retry = item.retry === null ? '' : `, retry ${item.retry}`
      return body(sanitize(`${theme.signs.above} withdrawn${retry}`), width, theme.dim)
    }
    case 'notice':
      return noticeLines(item.notice, context)
    case 'turn_end':
      return turnEndLines(item.turn, context)
    case 'compaction':
      return compactionLines(item.compaction, context)
    case 'cleared':
      return body(sanitize('New conversation: the agent has forgotten everything above.'), width, theme.dim)
    case 'agent_ended':
      return signed(theme.failed, theme.signs.failed, sanitize(sentence(item.reason)), sentence(item.hint), context)
  }
}

function panelContext({ theme, width, detail = 'short', whole = false, rest }: ItemContext): ToolContext {
  return { theme, width, now: 0, maxBody: 40, detail: whole ? 'full' : detail, whole, ...(rest && { rest }) }
}

function blockLines({ block, code }: Extract<Item, { kind: 'block' }>, context: ItemContext): Styled[] {
  const { width, markdown: style, takesCommands = false } = context
  const drawing = { width, style, indent: PROSE_INDENT, copies: takesCommands }
  return renderBlock(block, code === null ? drawing : { ...drawing, code })
}

/** Whether a blank line stands between two pieces. */
export function hasGap(previous: Item | null, next: Item): boolean {
  if (!previous) return true
  if (next.kind === 'tool' && previous.kind === 'tool') return false
  if (next.kind === 'notice' && previous.kind === 'notice')
    return next.notice.command !== undefined || next.notice.text.includes('\n')
  // Within a text, the blocks themselves say whether a blank line precedes them.
  if (next.kind === 'block') return next.first
  if (next.kind === 'markup') return false
  return next.kind !== 'withdrawn'
}

function promptLines(turn: Turn, { theme, width, whole = false }: ItemContext): Styled[] {
  // Images attached in the composer are named in the text.
  const unnamed = turn.prompt.includes('[Image #') ? [] : turn.images
  const images = unnamed.map(image => `[image: ${image.mimeType}, ${image.bytes} bytes]`).join(' ')
  const words = sanitize([turn.prompt, images].filter(part => part !== '').join('\n'))
  const rows = wrap(words, Math.max(2, width - 2))
  // The beginning of a pasted text is enough to recognise it.
  const shown = rows.length > PROMPT_ROWS && !whole ? rows.slice(0, PROMPT_ROWS - 1) : rows
  const hidden = rows.length - shown.length
  const more = hidden === 0 ? [] : [theme.dim(sanitize(`+${hidden} lines`))]
  const lines = personLines([...shown.map(line => theme.prompt(line)), ...more], theme, width)
  const number = turn.before.length
  const told = `with the output of ${number === 1 ? 'your command' : `your ${number} commands`}`
  return [...lines, ...(number === 0 ? [] : body(sanitize(told), width, theme.dim))]
}

/** The user's prompt or command, behind a mark and on a band. */
function personLines(lines: readonly Styled[], theme: Theme, width: number): Styled[] {
  const { prompt, promptRest } = theme.signs
  return lines.map((line, index) => {
    const mark = theme.accent(sanitize(index === 0 ? prompt : promptRest))
    return theme.promptBand(drawn`${mark} ${line}`, width)
  })
}

/** Rows shown of a prompt. */
const PROMPT_ROWS = 16

/** The panel of a command that the user ran, and whether the agent learns of it; `rows` are those of the screen. */
export function shellLines(shell: Shell, context: ToolContext, rows = 0): Styled[] {
  const { theme, width } = context
  const isFull = context.detail === 'full'
  // Someone who runs a command wants to see its output.
  const asked = rowsAsked(shell, rows)
  const maxBody = Math.max(context.maxBody, asked.all)
  const panel = renderTool(shell.tool, [], isFull ? context : { ...context, detail: 'short', asked, maxBody })
  if (shell.tool.endedAt === null) return panel
  const who = shell.shared ? 'You ran this; your next prompt tells the agent.' : 'You ran this; the agent is not told.'
  return [...panel, ...body(sanitize(who), width, theme.dim)]
}

/** Rows of output shown of a user's command; on a tall screen, a third of the screen. */
const SHELL_ROWS = 20
/** Rows of the screen that title, hints, composer and status take. */
const AROUND_SHELL = 8

function rowsAsked({ tool }: Shell, rows: number): { all: number; end: number } {
  const third = Math.floor(rows / 3)
  // A running command has to fit into the live zone.
  if (tool.endedAt === null) return { all: third, end: third }
  const all = Math.max(SHELL_ROWS, third)
  // The hint with the key that shows everything must stay on the screen.
  return { all, end: Math.min(all, Math.max(third, rows - AROUND_SHELL)) }
}

export function noticeLines(notice: Notice, context: ItemContext): Styled[] {
  const { theme, width } = context
  const { command } = notice
  if (command === undefined) return noticeBody(notice, context)
  const name = truncate(oneLine(sanitize(command)), Math.max(1, width - 2), theme.signs.ellipsis)
  return [...personLines([theme.dim(name)], theme, width), ...noticeBody(notice, context)]
}

function noticeBody(notice: Notice, context: ItemContext): Styled[] {
  const { theme, width } = context
  const hint = notice.hint ?? ''
  if (notice.markdown) {
    return renderMarkdown(notice.text, { width, style: context.markdown, indent: PROSE_INDENT })
  }
  // Colours in an extension's text are no attack; they are removed.
  const { source } = notice
  // All lines of a list begin in the same column, including the first.
  const isList = notice.level === 'info' && notice.text.trimEnd().includes('\n')
  const text =
    source === null ? sanitize(notice.text) : sanitizeTerminalOutput(`${source}:${isList ? '\n' : ' '}${notice.text}`)
  switch (notice.level) {
    case 'quiet':
      return body(text, width, theme.dim)
    case 'info':
      return [...body(text, width), ...body(sanitize(hint), width, theme.dim)]
    case 'success':
      return signed(theme.ok, theme.signs.done, text, hint, context)
    case 'warn':
      return signed(theme.warning, '!', text, hint, context)
    case 'error':
      return signed(theme.failed, theme.signs.failed, text, hint, context)
  }
}

function turnEndLines(turn: Turn, context: ItemContext): Styled[] {
  const { theme, width, takesCommands = false } = context
  const changes = turnChangesLine(turn, { theme, width: width - 2, offersDiff: takesCommands })
  // Text for a screen reader is never cut.
  const named = changes === null ? [] : theme.isSpoken ? wrap(changes, Math.max(2, width - 2)) : [changes]
  const facts = [...named.map(line => indented(2, line)), turnFacts(turn, context)]
  const stopped = (text: string, hint: string): Styled[] =>
    signed(theme.warning, theme.signs.stopped, sanitize(text), hint, context)
  switch (turn.outcome) {
    case 'refused': {
      const what = sanitize(sentence(`the prompt was rejected: ${turn.error ?? ''}`))
      const hint = 'Nothing was sent to the model. Press Up to get the text back.'
      return signed(theme.failed, theme.signs.failed, what, hint, context)
    }
    case 'failed':
      return [...failureLines(turn.error ?? '', context), ...facts]
    case 'aborted':
      return [...stopped('Stopped.', '/retry sends the prompt again.'), ...facts]
    case 'agent_ended':
      return [...stopped('Interrupted: the agent exited.', ''), ...facts]
    case 'zotui_ended': {
      const words = 'Interrupted: zotui exited during this turn.'
      return [...stopped(words, '/retry sends the prompt again.'), ...facts]
    }
    case 'done':
    case null:
      if (turn.stop !== 'length') return facts
      return [
        ...signed(
          theme.warning,
          '!',
          sanitize("The answer was cut off at the model's output limit."),
          'Send "continue" to continue.',
          context,
        ),
        ...facts,
      ]
  }
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
  const { usage, startedAt, endedAt, firstTextAt } = turn
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const tools = [...turn.parts].filter(part => part.kind === 'tool' && !part.withdrawn).length
  const tokens = `${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`
  const facts: [string, number][] = [
    [clock(startedAt), 2],
    [formatDuration((endedAt ?? startedAt) - startedAt), 0],
    [firstTextAt === null ? '' : `first word ${formatDuration(firstTextAt - startedAt)}`, 6],
    [sent + usage.output === 0 ? '' : tokens, 4],
    [usage.cacheRead === 0 ? '' : `${formatPercent(usage.cacheRead / sent)} cached`, 5],
    [usage.costUsd === 0 ? '' : formatCost(usage.costUsd), 1],
    [tools === 0 ? '' : `${tools} tool${tools === 1 ? '' : 's'}`, 3],
  ]
  const line = factsLine(
    facts.map(([text, rank]) => ({ text: sanitize(text), rank })),
    width - 2,
    theme.gap,
  )
  return indented(2, theme.dim(line))
}

function clock(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

function compactionLines(compaction: Compaction, context: ItemContext): Styled[] {
  const { theme, width, markdown, whole = false } = context
  switch (compaction.outcome) {
    case 'failed': {
      const what = sanitize(sentence(`not compacted: ${compaction.error ?? ''}`))
      return signed(theme.failed, theme.signs.failed, what, 'The conversation is unchanged.', context)
    }
    case 'aborted': {
      const what = sanitize('Compaction stopped. The conversation is unchanged.')
      return signed(theme.warning, theme.signs.stopped, what, '', context)
    }
    case 'running':
    case 'done': {
      const title = signed(
        theme.ok,
        theme.signs.done,
        sanitize(`Compacted${duration(compaction)}.`),
        freed(compaction),
        context,
      )
      const summary = renderMarkdown(compaction.summary.trim(), { width, style: markdown, indent: 4 })
      const shown = whole ? summary.length : SUMMARY_ROWS
      const hidden = summary.length - shown
      const more = hidden > 0 ? [indented(4, theme.dim(sanitize(`+${hidden} lines`)))] : []
      return [...title, ...summary.slice(0, shown), ...more]
    }
  }
}

/** Rows shown of a summary. */
const SUMMARY_ROWS = 6

function duration({ startedAt, endedAt }: Compaction): string {
  return endedAt === null ? '' : ` in ${formatDuration(endedAt - startedAt)}`
}

function freed({ contextBefore, summary }: Compaction): string {
  if (contextBefore === null) return ''
  const after = formatTokens(estimateTokens(summary))
  return `From ${formatTokens(contextBefore)} to about ${after} tokens, plus the latest messages.`
}

/** A sign with what happened; the hint below says what to do. */
function signed(paint: Paint, sign: string, text: SafeText, hint: string, { theme, width }: ItemContext): Styled[] {
  const isFailure = sign === theme.signs.failed
  const [first = empty, ...rest] = wrap(text, Math.max(2, width - 2)).map(line => (isFailure ? paint(line) : line))
  return [
    drawn`${paint(sanitize(sign))} ${first}`,
    ...rest.map(line => indented(2, line)),
    ...body(sanitize(hint), width, theme.dim),
  ]
}

/** Text indented by the two-column gutter; no rows for no text. */
function body(text: SafeText, width: number, paint: Paint = line => drawn`${line}`): Styled[] {
  return text === '' ? [] : wrap(text, Math.max(2, width - 2)).map(line => indented(2, paint(line)))
}

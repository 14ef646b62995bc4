import type { Turn } from '../conversation/state.ts'
import type { Notice, Shell, SteerPart } from '../conversation/part.ts'
import { renderBlock, renderMarkdown } from '../markdown/render.ts'
import { formatBytes } from '../text/format.ts'
import { linesOf, oneLine, sanitize, sanitizeTerminalOutput } from '../text/sanitize.ts'
import { counted } from '../text/counted.ts'
import { keyed } from '../text/key-hints.ts'
import { sentence } from '../text/sentence.ts'
import { truncate } from '../text/lines/shorten.ts'
import { wrap } from '../text/lines/wrap.ts'
import { bandLines } from '../style/band-lines.ts'
import { drawn, fitted, type Styled } from '../style/styled.ts'
import { renderTool } from '../tools/panel/panel.ts'
import type { ToolContext } from '../tools/panel/tool-context.ts'
import { attachedTexts, attachedWords, missingWords, unattachedWords } from '../conversation/queries/attached-words.ts'
import { isHookNote } from '../conversation/queries/hook-note.ts'
import { shownPrompt, unpromptedWords } from '../conversation/queries/shown-prompt.ts'
import { isSideNote } from '../conversation/queries/side-note.ts'
import { compactionLines, summaryLines } from './compaction.ts'
import { body, signed, type ItemContext } from './entry-lines.ts'
import { rawLines } from './raw.ts'
import { planLines } from './plan-list.ts'
import { thoughtLines } from './thought.ts'
import type { TimelineItem } from './timeline.ts'
import { turnEndLines } from './turn-end.ts'

/** Columns before the agent's text. */
export const PROSE_INDENT = 2

/** The lines of an item, none wider than `width` except raw ones; the caller adds the blank line before them (`hasGap`). */
export function renderItem(item: TimelineItem, context: ItemContext): Styled[] {
  if (item.kind === 'raw') return linesOf(sanitize(item.text)).map(line => drawn`${line}`)
  const { theme, detail = 'short', whole, width, raw = null } = context
  const shown = { theme, detail: whole ? ('full' as const) : detail, width: raw === 'terminal' ? null : width }
  const source = raw === null ? null : rawLines(item, shown)
  if (source) return source
  return fitted(itemLines(item, context), context.width, context.theme.signs.ellipsis)
}

function itemLines(item: Exclude<TimelineItem, { kind: 'raw' }>, context: ItemContext): Styled[] {
  const { theme, width } = context
  switch (item.kind) {
    case 'prompt':
      return item.turn.unprompted ? unpromptedLines(item.turn.unprompted, context) : promptLines(item.turn, context)
    case 'steer':
      return steerLines(item.steer, context)
    case 'block':
      return blockLines(item, context)
    case 'markup':
      return []
    case 'tool':
      return renderTool(item.tool, item.nested, panelContext(context))
    case 'shell':
      return shellLines(item.shell, panelContext(context), context.rows)
    case 'thought':
      return thoughtLines(item.thought, context)
    case 'plan':
      return planLines(item.turn.plan, context)
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

function panelContext(context: ItemContext): ToolContext {
  const { theme, width, detail = 'short', whole = false, rest, keyNames, folder } = context
  const shown = { detail: whole ? ('full' as const) : detail, whole, ...(rest && { rest }) }
  return { theme, width, now: 0, maxBody: 40, folder, ...shown, ...(keyNames && { keyNames }) }
}

function blockLines({ block, code }: Extract<TimelineItem, { kind: 'block' }>, context: ItemContext): Styled[] {
  const { width, markdown: style, takesCommands = false } = context
  const drawing = { width, style, indent: PROSE_INDENT, copies: takesCommands }
  return renderBlock(block, code === null ? drawing : { ...drawing, code })
}

/** Whether a blank line stands between two pieces. */
export function hasGap(previous: TimelineItem | null, next: TimelineItem): boolean {
  if (!previous) return true
  if (next.kind === 'tool' && previous.kind === 'tool') return false
  if (next.kind === 'notice' && previous.kind === 'notice')
    return next.notice.command !== undefined || next.notice.text.includes('\n')
  // Within a text, the blocks themselves say whether a blank line precedes them.
  if (next.kind === 'block') return next.first
  if (next.kind === 'markup') return false
  return next.kind !== 'withdrawn'
}

/** The words of a prompt, or those to a running turn, with what was sent beside them. */
type Said = Pick<Turn, 'prompt' | 'typed' | 'by' | 'from' | 'images' | 'before' | 'mentions'> & { note?: string }

export function steerLines({ text: prompt, ...steer }: SteerPart, context: ItemContext): Styled[] {
  return promptLines({ prompt, ...steer, note: TO_RUNNING }, context)
}

/** The beginning of a turn that the agent began itself: a band as that of a prompt, with another sign. */
function unpromptedLines(unprompted: NonNullable<Turn['unprompted']>, context: ItemContext): Styled[] {
  const { theme, width, whole = false } = context
  const rows = wrap(sanitize(sentence(unpromptedWords(unprompted))), Math.max(2, width - 2))
  const shown = rows.length > CAUSE_ROWS && !whole ? rows.slice(0, CAUSE_ROWS - 1) : rows
  const more = rows.length > shown.length ? [sanitize(`+${counted(rows.length - shown.length, 'line')}`)] : []
  return [...shown, ...more].map((line, index) => {
    const sign = sanitize(index === 0 ? `${theme.signs.begun} ` : '  ')
    return theme.promptBand(theme.dim(drawn`${sign}${line}`), width)
  })
}

function promptLines(turn: Said, context: ItemContext): Styled[] {
  const { theme, width, whole = false } = context
  // Images attached in the composer are named in the text.
  const typed = shownPrompt(turn)
  const isNamed = typed.includes('[Image #') || turn.mentions.some(({ sent }) => sent === 'image')
  const unnamed = isNamed ? [] : turn.images
  const images = unnamed
    .map(({ mimeType, bytes }) => `[image: ${mimeType}${bytes > 0 ? `, ${bytes} bytes` : ''}]`)
    .join(' ')
  const words = sanitize([typed, images].filter(part => part !== '').join('\n'))
  const rows = wrap(words, Math.max(2, width - 2))
  const made = turn.typed === undefined ? [] : body(sanitize(turn.prompt), width, theme.dim)
  // The beginning of a pasted text is enough to recognise it.
  const shown = rows.length > PROMPT_ROWS && !whole ? rows.slice(0, PROMPT_ROWS - 1) : rows
  const how = context.keyNames ? keyed(context.keyNames, ', {composer.view} shows it') : ''
  const left = [
    ...(rows.length > shown.length ? [`+${counted(rows.length - shown.length, 'line')}`] : []),
    ...(made.length > 0 && !whole ? [`a prompt of ${counted(made.length, 'line')}${how}`] : []),
  ]
  const more = left.map(words => theme.dim(truncate(sanitize(words), Math.max(1, width - 2), theme.signs.ellipsis)))
  const where = turn.from === undefined ? '' : `from ${turn.from}`
  const note = turn.by === 'zotui' ? BY_ZOTUI : [turn.note ?? '', where].filter(words => words !== '').join(', ')
  const author = note === '' ? [] : [theme.dim(oneLine(sanitize(note)))]
  const lines = bandLines([...author, ...shown.map(line => theme.prompt(line)), ...more], theme, width)
  const sentBefore = beforeInWords(turn)
  const unattached = unattachedWords(turn.mentions).flatMap(words =>
    signed(theme.warning, '!', sanitize(words), '', context),
  )
  const texts = whole ? attachedTexts(turn).flatMap(text => body(sanitize(text), width, theme.dim)) : []
  return [
    ...lines,
    ...(whole ? made : []),
    ...(sentBefore === '' ? [] : body(sanitize(sentBefore), width, theme.dim)),
    ...unattached,
    ...texts,
  ]
}

/** The texts that went before the prompt, in words; '' for none. */
function beforeInWords(turn: Pick<Turn, 'before' | 'mentions'>): string {
  const { before, mentions } = turn
  const attached = attachedWords(mentions)
  const answers = before.filter(isSideNote).length
  const hooks = before.filter(isHookNote).length
  const commands = before.length - answers - hooks - attachedTexts(turn).length
  const kinds = [
    commands === 0 ? '' : `the output of ${commands === 1 ? 'your command' : `your ${commands} commands`}`,
    answers === 0 ? '' : answers === 1 ? 'a side answer' : `${answers} side answers`,
    hooks === 0 ? '' : 'text from a hook',
    attached,
  ].filter(words => words !== '')
  const sent = kinds.length === 0 ? '' : `with ${kinds.join(' and ')}`
  return [sent, missingWords(mentions)].filter(words => words !== '').join('; ')
}

/** Rows shown of a prompt, and of an agent's words for what it began itself. */
const PROMPT_ROWS = 16
const CAUSE_ROWS = 4

const BY_ZOTUI = 'sent by zotui, not by you'
const TO_RUNNING = 'to the running turn'

/** The panel of a command that the user ran, and whether the agent sees it; `rows` are those of the screen. */
export function shellLines(shell: Shell, context: ToolContext, rows = 0): Styled[] {
  const { theme, width } = context
  const isFull = context.detail === 'full'
  // Someone who runs a command wants to see its output.
  const asked = rowsAsked(shell, rows)
  const maxBody = Math.max(context.maxBody, asked.all)
  const look = { ...context, own: shell.shared ? ('!' as const) : ('!!' as const) }
  const panel = renderTool(shell.tool, [], isFull ? look : { ...look, detail: 'short', asked, maxBody })
  if (shell.tool.endedAt === null) return panel
  return [...panel, ...goneLines(shell, context), ...body(sanitize(seenBy(shell)), width, theme.dim)]
}

/** Says what is gone of a long output, and how to keep it. */
function goneLines({ omittedBytes = 0 }: Shell, { theme, width }: ToolContext): Styled[] {
  if (omittedBytes === 0) return []
  const words = `${formatBytes(omittedBytes)} from the middle of this output is gone. Write it to a file to keep all of it.`
  return body(sanitize(words), width, theme.warning)
}

function seenBy({ shared, onTerminal }: Shell): string {
  if (!shared) return 'You ran this; the agent does not see it.'
  return onTerminal
    ? 'You ran this on the terminal; your next prompt tells only that it ended.'
    : 'You ran this; your next prompt includes it.'
}

/** Rows of output shown of a user's command; on a tall screen, a third of the screen. */
const SHELL_ROWS = 20
/** Rows of the screen that title, hints, composer and status take. */
const AROUND_SHELL = 8

function rowsAsked({ tool, omittedBytes = 0 }: Shell, rows: number): NonNullable<ToolContext['asked']> {
  const third = Math.floor(rows / 3)
  // A running command has to fit into the live zone.
  if (tool.endedAt === null) return { all: third, end: third }
  const all = Math.max(SHELL_ROWS, third)
  // The hint with the key that shows everything must stay on the screen.
  return { all, end: Math.min(all, Math.max(third, rows - AROUND_SHELL)), isPartial: omittedBytes > 0 }
}

export function noticeLines(notice: Notice, context: ItemContext): Styled[] {
  const { theme, width } = context
  const { command } = notice
  const lines = [
    ...noticeBody(notice, context),
    // A cancelled preview is folded: the viewer unfolds it.
    ...(notice.cancels && !context.whole
      ? []
      : summaryLines(notice.details ?? '', notice.isTakenOver ? { ...context, whole: true } : context)),
  ]
  if (command === undefined) return lines
  const name = truncate(oneLine(sanitize(command)), Math.max(1, width - 2), theme.signs.ellipsis)
  return [...bandLines([theme.dim(name)], theme, width), ...lines]
}

/** A text that an extension shows, below the extension's name unless that stands there already. */
function displayLines({ source, text, follows }: Notice, context: ItemContext): Styled[] {
  const { theme, width, markdown: style } = context
  const name = follows ? [] : body(oneLine(sanitizeTerminalOutput(`${source ?? ''}:`)), width, theme.dim)
  return [...name, ...renderMarkdown(sanitizeTerminalOutput(text), { width, style, indent: PROSE_INDENT })]
}

function noticeBody(notice: Notice, context: ItemContext): Styled[] {
  const { theme, width } = context
  const hint = notice.hint ?? ''
  if (notice.markdown) {
    return renderMarkdown(notice.text, { width, style: context.markdown, indent: PROSE_INDENT })
  }
  if (notice.isDisplay) return displayLines(notice, context)
  // Colours in an extension's text are no attack; they are removed.
  const source = notice.follows ? null : notice.source
  // All lines of a list begin in the same column, including the first.
  const isList = notice.level === 'info' && notice.text.trimEnd().includes('\n')
  const text =
    notice.source === null
      ? sanitize(notice.text)
      : sanitizeTerminalOutput(`${source === null ? '' : `${source}:${isList ? '\n' : ' '}`}${notice.text}`)
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

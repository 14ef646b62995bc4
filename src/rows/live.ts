/**
 * The live zone: what stands below the scrollback and still changes. Always shorter than the terminal, because a taller one
 * would leave copies of itself behind; what does not fit becomes `+N`.
 */
import type { SlashCommand } from '../state/slash.ts'
import type { Picker } from '../state/picker.ts'
import type { AppState } from '../state/state.ts'
import { nestedCalls, partsFrom } from '../conversation/nesting.ts'
import type { Part, Turn } from '../conversation/state.ts'
import type { MarkdownStyle } from '../markdown/style.ts'
import { renderOpen } from '../markdown/tail.ts'
import { sanitize } from '../text/sanitize.ts'
import { belowLines, pickerTitle } from './below.ts'
import { composerBox } from './composer.ts'
import { hasGap, noticeLines, PROSE_INDENT, shellLines } from '../transcript/entries.ts'
import { rawOpen } from '../transcript/raw.ts'
import { headerLines, leavingLine, queueLine, shellLine, workingLine } from './status.ts'
import { empty, fitted, trusted, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { Item, Timeline } from '../transcript/timeline.ts'
import { ruleLine } from '../style/window.ts'
import { renderTool, type ToolContext } from '../tools/panel.ts'
import type { Detail } from '../tools/detail.ts'

export type LiveRows = {
  /** Header while the agent starts, the open block, running tools. */
  open: readonly Styled[]
  working: readonly Styled[]
  composer: readonly Styled[]
  /** The status line, or what opened in its place. */
  below: readonly Styled[]
  /** The caret's place in the live zone, from its upper left corner. */
  cursor: { x: number; y: number }
}

/** All lines of the live zone, from the top. */
export function linesOfLive({ open, working, composer, below }: LiveRows): Styled[] {
  return [...open, ...working, ...composer, ...below]
}

export type LiveContext = {
  theme: Theme
  markdown: MarkdownStyle
  columns: number
  rows: number
  commands: readonly SlashCommand[]
  timeline: Timeline
  /** The last finished piece, which decides whether a blank line follows. */
  last: Item | null
  headerDone: boolean
  detail: Detail
  /** Whether what is said is shown as it was written. */
  raw: boolean
  /** Whether commands can be typed. */
  takesCommands: boolean
  /** Milliseconds since the Unix epoch. */
  now: number
}

/** Below this height there is room for the composer and the status only. */
const SMALL = 8

export function liveZone(state: AppState, context: LiveContext): LiveRows {
  if (state.leaving === 'gone') return nothing
  const { theme, columns, rows } = context
  const leaving = leavingLine(state, theme, columns)
  if (leaving) return { ...nothing, working: fitted([leaving], columns, theme.signs.ellipsis) }
  const room = Math.max(1, rows - 1)
  const small = rows < SMALL
  const box = state.picker
    ? titleBox(state.picker, context, small)
    : composerBox(state, context, Math.max(1, Math.floor(rows / 3)))
  const under = room - box.lines.length
  const below = belowLines(state, context, under - (small ? 0 : 2)).slice(0, under)
  let left = room - box.lines.length - below.length
  // At least one line above the composer, so that it stands apart from the scrollback.
  const gap = left > 0 ? 1 : 0
  left -= gap
  const working = small ? [] : workingLines(state, context).slice(0, Math.max(0, left))
  left -= working.length
  const open = small ? [] : openLines(state, context, left)
  const above = open.length + working.length + gap
  return {
    open: fitted(open, columns, theme.signs.ellipsis),
    working: fitted(working, columns, theme.signs.ellipsis),
    composer: fitted([...(gap === 1 ? [empty] : []), ...box.lines], columns),
    below: fitted(below, columns, theme.signs.ellipsis),
    cursor: { x: Math.min(box.column, columns - 1), y: above + box.row },
  }
}

/** In the composer's place: what is chosen from, and what was typed to find it. A rule parts it from the conversation. */
function titleBox(picker: Picker, context: LiveContext, small: boolean): ReturnType<typeof composerBox> {
  const { line, column } = pickerTitle(picker, context)
  const lines = small ? [line] : [ruleLine(context.theme, 0, context.columns), line]
  return { lines, row: lines.length - 1, column }
}

const nothing: LiveRows = { open: [], working: [], composer: [], below: [], cursor: { x: 0, y: 0 } }

function workingLines(state: AppState, { theme, columns }: LiveContext): Styled[] {
  const lines = [workingLine, shellLine, queueLine]
    .map(line => line(state, theme, columns))
    .filter(line => line !== null)
  return lines.length > 0 ? [empty, ...lines] : []
}

/** The lines above the working line, as far as they fit. */
function openLines(state: AppState, context: LiveContext, room: number): Styled[] {
  const { theme, columns } = context
  const lines: Styled[] = context.headerDone ? [] : headerLines(state, theme, columns)
  const { open, shell } = state.chat
  const turn = open?.kind === 'turn' ? turnLines(open, context, room) : { lines: [], hidden: 0 }
  if (turn.lines.length > 0 && lines.length > 0 && turn.lines[0] !== empty) lines.push(empty)
  lines.push(...turn.lines)
  if (shell) lines.push(empty, ...shellLines(shell, toolContext(context), context.rows))
  return bounded(lines, room, turn.hidden, theme)
}

/** Lines of the turn from its first part on that is not printed, and how many of its parts are not among them. */
function turnLines(open: Turn, context: LiveContext, room: number): { lines: Styled[]; hidden: number } {
  // Of very much that is to be printed, the next frames take their part first; else what came last is looked at.
  const isBehind = context.timeline.isBehind()
  const forward = partsFrom(open, context.timeline.openPart())
  const places = isBehind ? forward : [...forward].toReversed()
  const pieces: OpenPiece[] = []
  let rows = 0
  let hidden = Array.isArray(places) ? places.length : 0
  for (const index of places) {
    if (rows >= room) break
    hidden -= 1
    const part = open.parts.get(index)
    const piece = part && openPiece(open, index, part, context, room)
    if (!piece) continue
    pieces.push(piece)
    rows += piece.lines.length
  }
  const lines: Styled[] = []
  let last = context.last
  for (const { item, lines: own } of isBehind ? pieces : pieces.toReversed()) {
    if (hasGap(last, item) && own.length > 0) lines.push(empty)
    for (const line of own) lines.push(line)
    last = item
  }
  return { lines, hidden: Math.max(0, hidden) }
}

type OpenPiece = { item: Item; lines: Styled[] }

function openPiece(turn: Turn, index: number, part: Part, context: LiveContext, room: number): OpenPiece | null {
  if (part.kind === 'notice')
    return { item: { kind: 'notice', notice: part }, lines: noticeLines(part, itemContext(context)) }
  if (part.kind === 'shell')
    return { item: { kind: 'shell', shell: part }, lines: shellLines(part, toolContext(context), context.rows) }
  if (part.kind === 'tool') {
    const nested = nestedCalls(turn, index)
    return { item: { kind: 'tool', tool: part, nested }, lines: renderTool(part, nested, toolContext(context)) }
  }
  const text = index === context.timeline.openPart() ? context.timeline.openText() : null
  const blocks = text?.blocks.open(Math.max(1, room)) ?? []
  const [first] = blocks
  if (!text || !first) return null
  const { columns: width, markdown: style, takesCommands: copies } = context
  const source = text.lines.rest
  const lines = context.raw
    ? rawOpen(source, width).slice(-Math.max(1, room))
    : renderOpen(blocks, {
        width,
        style,
        indent: PROSE_INDENT,
        maxRows: Math.max(1, room),
        code: text.code,
        copies,
      }).map(trusted)
  return { item: { kind: 'block', block: first, first: !text.begun, part: index, code: null, source }, lines }
}

function toolContext({ theme, columns: width, now, detail, rows }: LiveContext): ToolContext {
  return { theme, width, now, detail, maxBody: Math.max(2, Math.floor(rows / 4)) }
}

function itemContext({ theme, markdown, columns }: LiveContext): {
  theme: Theme
  markdown: MarkdownStyle
  width: number
} {
  return { theme, markdown, width: columns }
}

/** The last lines that fit, under a line that counts the others; parts that are `hidden` altogether have not been drawn. */
function bounded(lines: Styled[], room: number, hidden: number, theme: Theme): Styled[] {
  if (lines.length <= room && hidden === 0) return lines
  if (room <= 0) return []
  // The blank line before them stays where it can.
  const gap = lines[0] === empty && room > 3 ? [empty] : []
  const shown = room - 1 - gap.length
  const kept = shown === 0 ? [] : lines.slice(-shown)
  const above = lines.length - gap.length - kept.length
  const words = hidden === 0 ? `+${above} lines above` : `+${hidden} above that are not finished`
  return [...gap, theme.dim(sanitize(`  ${words}`)), ...kept]
}

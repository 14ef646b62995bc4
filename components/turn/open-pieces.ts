/** The parts above the working line: the header, the open turn, the user's command and the to-do list. */
import type { SlashCommand } from '../../src/state/slash.ts'
import type { AppState } from '../../src/state/state.ts'
import { nestedCalls, partsFrom } from '../../src/conversation/calls/nesting.ts'
import type { Turn } from '../../src/conversation/state.ts'
import type { Part } from '../../src/conversation/part.ts'
import type { MarkdownStyle } from '../../src/markdown/style.ts'
import type { KeyNames } from '../../src/text/key-hints.ts'
import { hasGap, noticeLines, PROSE_INDENT, shellLines } from '../../src/transcript/entries.ts'
import { planPanelLines } from '../plan/rows.ts'
import { thoughtLines } from '../../src/transcript/thought.ts'
import { rawOpen } from '../../src/transcript/raw.ts'
import { headerLines } from '../header/rows.ts'
import { welcomeLines } from '../welcome/rows.ts'
import { visibleWelcome } from '../../src/state/welcome.ts'
import { fitToRoom, headerPieces, type OpenPiece } from '../screen/zone-layout.ts'
import { empty } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { TimelineItem, Timeline } from '../../src/transcript/timeline.ts'
import { textAhead } from '../../src/transcript/text-ahead.ts'
import { renderTool } from '../../src/tools/panel/panel.ts'
import type { ToolContext } from '../../src/tools/panel/tool-context.ts'
import type { Detail } from '../../src/tools/panel/tool-context.ts'

export type LiveContext = {
  theme: Theme
  markdown: MarkdownStyle
  columns: number
  rows: number
  commands: readonly SlashCommand[]
  timeline: Timeline
  /** The last finished piece, which decides whether a blank line follows. */
  last: TimelineItem | null
  headerDone: boolean
  detail: Detail
  /** Whether thinking is shown in full. */
  thoughts: boolean
  /** Whether answers are shown as they were written. */
  raw: boolean
  /** Whether commands can be typed. */
  takesCommands: boolean
  /** Milliseconds since the Unix epoch. */
  now: number
  /** The keys that hints name. */
  keyNames: KeyNames
  /** The absolute path of the agent's folder; undefined if it is not known. */
  folder: string | undefined
}

/** The parts above the working line that fit. */
export function openPieces(state: AppState, context: LiveContext, room: number): readonly OpenPiece[] {
  const { theme, columns } = context
  const { open, shell } = state.chat
  const header = context.headerDone ? [] : headerLines(state, theme, columns)
  const pieces = headerPieces(header)
  const welcome = visibleWelcome(state)
  const turn = open?.kind === 'turn' ? turnPieces(open, context, room) : { pieces: [], hidden: 0 }
  const [first, ...rest] = turn.pieces
  if (first) pieces.push({ ...first, gap: first.gap || (header.length > 0 && first.rows[0] !== empty) }, ...rest)
  if (shell) {
    const rows = shellLines(shell, toolContext(context), context.rows)
    pieces.push({ kind: 'panel', key: 'shell', gap: true, rows })
  }
  const plan = planPanelLines(state.chat, { theme, width: columns, room })
  if (plan.length > 0) pieces.push({ kind: 'panel', key: 'plan', gap: true, rows: plan })
  if (welcome) {
    const rows = welcomeLines(welcome, state, theme, columns)
    // It is left out as a whole: half of it helps nobody.
    if (header.length + 1 + rows.length <= room) pieces.push({ kind: 'text', key: 'welcome', gap: true, rows })
  }
  return fitToRoom(pieces, room, turn.hidden, context)
}

/** The turn from its first unprinted part on, and the number of parts that this omits. */
function turnPieces(open: Turn, context: LiveContext, room: number): { pieces: OpenPiece[]; hidden: number } {
  // While much is still to be printed, the next parts to print are shown, otherwise the newest ones.
  const isBehind = context.timeline.isBehind()
  const forward = partsFrom(open, context.timeline.openPart())
  const places = isBehind ? forward : [...forward].toReversed()
  const found: OpenPart[] = []
  let rows = 0
  let hidden = Array.isArray(places) ? places.length : 0
  for (const index of places) {
    if (rows >= room) break
    hidden -= 1
    const part = open.parts.get(index)
    const own = part && openPart(open, index, part, context, room)
    if (!own) continue
    found.push(own)
    rows += own.rows.length
  }
  const pieces: OpenPiece[] = []
  let last = context.last
  for (const { item, kind, key, rows: own } of isBehind ? found : found.toReversed()) {
    if (own.length > 0) pieces.push({ kind, key, gap: hasGap(last, item), rows: own })
    last = item
  }
  return { pieces, hidden: Math.max(0, hidden) }
}

type OpenPart = Omit<OpenPiece, 'gap'> & { item: TimelineItem }

function openPart(turn: Turn, index: number, part: Part, context: LiveContext, room: number): OpenPart | null {
  const key = `part ${index}`
  if (part.kind === 'notice') {
    const rows = noticeLines(part, itemContext(context))
    return { kind: 'text', key, item: { kind: 'notice', notice: part }, rows }
  }
  if (part.kind === 'shell') {
    const rows = shellLines(part, toolContext(context), context.rows)
    return { kind: 'panel', key, item: { kind: 'shell', shell: part }, rows }
  }
  if (part.kind === 'tool') {
    const nested = nestedCalls(turn, index)
    const rows = renderTool(part, nested, toolContext(context))
    return { kind: 'panel', key, item: { kind: 'tool', tool: part, nested }, rows }
  }
  if (part.kind === 'thought') {
    const rows = thoughtLines(part, itemContext(context))
    return { kind: 'text', key, item: { kind: 'thought', thought: part }, rows }
  }
  const text = index === context.timeline.openPart() ? context.timeline.openText() : textAhead(part)
  const blocks = text?.blocks.open(Math.max(1, room)) ?? []
  const [first] = blocks
  if (!text || !first) return null
  const { columns: width, markdown: style, takesCommands: copies } = context
  const source = text.lines.rest
  const maxRows = Math.max(1, room)
  const rows = context.raw
    ? rawOpen(source, width).slice(-maxRows)
    : text.drawEnd(blocks, { width, style, indent: PROSE_INDENT, maxRows, code: text.code, copies })
  const item: TimelineItem = { kind: 'block', block: first, first: !text.begun, part: index, code: null, source }
  return { kind: 'text', key, item, rows }
}

function toolContext({ theme, columns: width, now, detail, rows, keyNames, folder }: LiveContext): ToolContext {
  return { theme, width, now, detail, maxBody: Math.max(2, Math.floor(rows / 4)), keyNames, folder }
}

function itemContext({ theme, markdown, columns, thoughts }: LiveContext): {
  theme: Theme
  markdown: MarkdownStyle
  width: number
  thoughts: boolean
} {
  return { theme, markdown, width: columns, thoughts }
}

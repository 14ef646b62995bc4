/** The open turn from its first unprinted part on, and the command that the user runs. */
import { nestedCalls, partsFrom } from '../../src/conversation/calls/nesting.ts'
import type { Turn } from '../../src/conversation/state.ts'
import type { Part } from '../../src/conversation/part.ts'
import { hasGap, noticeLines, PROSE_INDENT, shellLines, steerLines } from '../../src/transcript/entries.ts'
import type { ItemContext } from '../../src/transcript/entry-lines.ts'
import { thoughtLines } from '../../src/transcript/thought.ts'
import { rawOpen } from '../../src/transcript/raw.ts'
import { empty, type Styled } from '../../src/style/styled.ts'
import type { TimelineItem } from '../../src/transcript/timeline.ts'
import { textAhead } from '../../src/transcript/text-ahead.ts'
import { visibleQuestion } from '../../src/state/state.ts'
import { isAsked } from '../../src/tools/describe-call.ts'
import { renderTool } from '../../src/tools/panel/panel.ts'
import type { ToolContext } from '../../src/tools/panel/tool-context.ts'
import type { LiveFrame } from '../live-frame.ts'
import { type DrawnPanel, type Panel, type PanelPiece, rowsOnly } from '../regions.ts'

export const turn: Panel<LiveFrame> = {
  name: 'turn',
  draw(frame, room) {
    const { open } = frame.state.chat
    return open?.kind === 'turn' ? turnPieces(open, frame, room) : null
  },
}

/** The user's running command and the end of its output. */
export const shellCommand: Panel<LiveFrame> = {
  name: 'shell command',
  draw(frame) {
    const { shell } = frame.state.chat
    return shell && rowsOnly(shellLines(shell, toolContext(frame), frame.rows), true)
  },
}

/** The turn from its first unprinted part on, and the number of parts that this omits. */
function turnPieces(open: Turn, frame: LiveFrame, room: number): DrawnPanel {
  // While much is still to be printed, the next parts to print are shown, otherwise the newest ones.
  const isBehind = frame.timeline.isBehind()
  const forward = partsFrom(open, frame.timeline.openPart())
  const places = isBehind ? forward : [...forward].toReversed()
  const found: OpenPart[] = []
  let rows = 0
  let hidden = Array.isArray(places) ? places.length : 0
  for (const index of places) {
    if (rows >= room) break
    hidden -= 1
    const part = open.parts.get(index)
    const own = part && openPart(open, index, part, frame, room)
    if (!own) continue
    found.push(own)
    rows += own.rows.length
  }
  const pieces: PanelPiece[] = []
  let last = frame.last
  for (const { item, key, rows: own } of isBehind ? found : found.toReversed()) {
    const isBelowHeader = pieces.length === 0 && !frame.headerDone && own[0] !== empty
    if (own.length > 0) pieces.push({ key, gap: hasGap(last, item) || isBelowHeader, rows: own })
    last = item
  }
  return { pieces, hidden: Math.max(0, hidden) }
}

type OpenPart = { key: string; item: TimelineItem; rows: readonly Styled[] }

/** A call that waits for an answer is in the question, where that is to be seen. */
function openPart(turn: Turn, index: number, part: Part, frame: LiveFrame, room: number): OpenPart | null {
  const key = `part ${index}`
  if (part.kind === 'notice') {
    const rows = noticeLines(part, itemContext(frame))
    return { key, item: { kind: 'notice', notice: part }, rows }
  }
  if (part.kind === 'shell') {
    const rows = shellLines(part, toolContext(frame), frame.rows)
    return { key, item: { kind: 'shell', shell: part }, rows }
  }
  if (part.kind === 'tool') {
    const nested = nestedCalls(turn, index)
    if (nested.length === 0 && isAsked(part) && visibleQuestion(frame.state)?.content.kind === 'call') return null
    const rows = renderTool(part, nested, toolContext(frame))
    return { key, item: { kind: 'tool', tool: part, nested }, rows }
  }
  if (part.kind === 'thought') {
    const rows = thoughtLines(part, itemContext(frame))
    return { key, item: { kind: 'thought', thought: part }, rows }
  }
  if (part.kind === 'steer')
    return { key, item: { kind: 'steer', steer: part }, rows: steerLines(part, itemContext(frame)) }
  const text = index === frame.timeline.openPart() ? frame.timeline.openText() : textAhead(part)
  const blocks = text?.blocks.open(Math.max(1, room)) ?? []
  const [first] = blocks
  if (!text || !first) return null
  const { columns: width, state, theme } = frame
  const source = text.lines.rest
  const maxRows = Math.max(1, room)
  const rows = state.raw
    ? rawOpen(source, width).slice(-maxRows)
    : text.drawEnd(blocks, {
        width,
        style: theme.markdown,
        indent: PROSE_INDENT,
        maxRows,
        code: text.code,
        copies: !state.startup.isReplay,
      })
  const item: TimelineItem = { kind: 'block', block: first, first: !text.begun, part: index, code: null, source }
  return { key, item, rows }
}

function toolContext({ state, theme, columns: width, rows }: LiveFrame): ToolContext {
  const { now, detail, keyNames, startup } = state
  return { theme, width, now, detail, maxBody: Math.max(2, Math.floor(rows / 4)), keyNames, folder: startup.place }
}

function itemContext({ theme, columns: width, state: { thoughts } }: LiveFrame): ItemContext {
  return { theme, markdown: theme.markdown, width, thoughts }
}

/** One entry of the conversation in blocks, read piece by piece, and again while it grows. */
import { nestedCalls, partsFrom } from '../../../../src/conversation/calls/nesting.ts'
import { initialChat, type ChatState, type Entry, type Turn } from '../../../../src/conversation/state.ts'
import type { Part, Shell } from '../../../../src/conversation/part.ts'
import { isOpen } from '../../../../src/conversation/calls/tool-calls.ts'
import { PROSE_INDENT, shellLines } from '../../../../src/transcript/entries.ts'
import { rawOpen } from '../../../../src/transcript/raw.ts'
import { textAhead } from '../../../../src/transcript/text-ahead.ts'
import { createTimeline, entryItem, type TimelineItem } from '../../../../src/transcript/timeline.ts'
import { renderTool } from '../../../../src/tools/panel/panel.ts'
import { BlockBuilder, type ViewerBlock, type BlockLook } from './block.ts'

/** Rows drawn of a growing block. */
const LIVE_ROWS = 400

export class ViewerSection {
  entry: Entry
  /** Whether `blocks` includes everything so far. */
  isRead = false
  readonly #builder: BlockBuilder
  readonly #timeline = createTimeline()
  /** The index of the part that was read last. */
  #place = 0
  /** All blocks, with growing ones at the end. */
  blocks: readonly ViewerBlock[] = []

  /** `key` is unique among sections; `before` is the item before it. */
  constructor(entry: Entry, key: string, before: TimelineItem | null) {
    this.entry = entry
    this.#builder = new BlockBuilder(key, before)
  }

  /** Hides a notice that the next entry replaces. */
  hide(): void {
    this.isRead = true
    this.blocks = []
  }

  /** Takes the entry's new state. */
  update(entry: Entry): void {
    this.entry = entry
    this.isRead = false
  }

  /** Reads another bounded part; `now` is in milliseconds since the Unix epoch. */
  read(now: number): void {
    const { entry } = this
    if (entry.kind === 'turn') return this.#readTurn(entry, now)
    const item = entryItem(entry)
    this.isRead = true
    if (item) this.#builder.add(item, null)
    this.blocks = !item && entry.kind === 'shell' ? [this.#runningShell(entry, now)] : this.#builder.blocks
  }

  #readTurn(turn: Turn, now: number): void {
    const items = this.#timeline.advance(chatOf(turn))
    for (const item of items) {
      if (item.kind === 'notice' && item.notice.cancels) this.#builder.removePreview(item.notice)
      this.#builder.add(item, this.#partOf(item, turn))
    }
    this.isRead = !this.#timeline.isBehind()
    const tail = turn.endedAt === null && this.isRead ? this.#openParts(turn, now) : []
    this.blocks = tail.length === 0 ? this.#builder.blocks : [...this.#builder.blocks, ...tail]
  }

  /** The index of the item's part in its turn. */
  #partOf(item: TimelineItem, turn: Turn): number | null {
    if (item.kind === 'block' || item.kind === 'markup') return item.part
    const part = wholePart(item)
    if (part === null) return null
    while (this.#place < turn.parts.length && turn.parts.get(this.#place) !== part) this.#place += 1
    return this.#place
  }

  #openParts(turn: Turn, now: number): ViewerBlock[] {
    const blocks: ViewerBlock[] = []
    // The open blocks are temporary: they must not become part of the finished ones.
    const builder = this.#builder.fork()
    for (const index of partsFrom(turn, this.#timeline.openPart())) {
      const part = turn.parts.get(index)
      if (part?.kind === 'notice' && part.cancels) this.#builder.removePreview(part)
      const block = part && this.#openPart(turn, index, part, now, builder)
      if (block) blocks.push(block)
    }
    return blocks
  }

  #openPart(turn: Turn, index: number, part: Part, now: number, builder: BlockBuilder): ViewerBlock | null {
    switch (part.kind) {
      case 'notice':
        return builder.grows({ kind: 'notice', notice: part }, index, null)
      case 'shell':
        return builder.grows({ kind: 'shell', shell: part }, index, null)
      case 'tool': {
        const nested = nestedCalls(turn, index)
        const maxBody = LIVE_ROWS
        const live = ({ theme, width }: BlockLook) =>
          renderTool(part, nested, { theme, width, now, maxBody, detail: isOpen(part.state) ? 'full' : 'short' })
        return builder.grows({ kind: 'tool', tool: part, nested }, index, live)
      }
      case 'thought':
        return builder.grows({ kind: 'thought', thought: part }, index, null)
      case 'steer':
        return builder.grows({ kind: 'steer', steer: part }, index, null)
      case 'text': {
        const text = index === this.#timeline.openPart() ? this.#timeline.openText() : textAhead(part)
        const open = text?.blocks.open(LIVE_ROWS) ?? []
        const [first] = open
        if (!text || !first) return null
        const source = text.lines.rest
        const live = ({ theme, width, raw }: BlockLook) =>
          raw
            ? rawOpen(source, width).slice(-LIVE_ROWS)
            : text.drawEnd(open, {
                width,
                style: theme.markdown,
                indent: PROSE_INDENT,
                maxRows: LIVE_ROWS,
                code: text.code,
              })
        const item = { kind: 'block', block: first, first: !text.begun, part: index, code: null, source } as const
        return builder.grows(item, index, live)
      }
    }
  }

  #runningShell(shell: Shell, now: number): ViewerBlock {
    const live = ({ theme, width }: BlockLook) =>
      shellLines(shell, { theme, width, now, maxBody: LIVE_ROWS, detail: 'full' })
    return this.#builder.fork().grows({ kind: 'shell', shell }, 0, live)
  }
}

/** A conversation of this turn alone. */
function chatOf(turn: Turn): ChatState {
  return turn.endedAt === null ? { ...initialChat, open: turn } : { ...initialChat, entries: [turn] }
}

/** The part that an item shows as a whole; null for any other item. */
function wholePart(item: TimelineItem): Part | null {
  switch (item.kind) {
    case 'tool':
      return item.tool
    case 'shell':
      return item.shell
    case 'thought':
      return item.thought
    case 'steer':
      return item.steer
    case 'notice':
      return item.notice
    case 'plan':
    case 'block':
    case 'markup':
    case 'prompt':
    case 'withdrawn':
    case 'turn_end':
    case 'compaction':
    case 'cleared':
    case 'agent_ended':
    case 'raw':
      return null
  }
}

/** One entry of the conversation in blocks: read piece by piece, and further while it goes on. */
import { nestedCalls, partsFrom } from '../conversation/nesting.ts'
import { initialChat, type ChatState, type Entry, type Part, type Shell, type Turn } from '../conversation/state.ts'
import { isOpen } from '../conversation/turn.ts'
import { renderOpen } from '../markdown/tail.ts'
import { PROSE_INDENT, shellLines } from '../transcript/entries.ts'
import { rawOpen } from '../transcript/raw.ts'
import { trusted } from '../style/styled.ts'
import { createTimeline, entryItem, type Item } from '../transcript/timeline.ts'
import { renderTool } from '../tools/panel.ts'
import { Gathering, type ViewerBlock, type BlockLook } from './block.ts'

/** Rows of what still grows. */
const LIVE_ROWS = 400

export class ViewerSection {
  entry: Entry
  /** Whether all of what has been said of it by now is in `blocks`. */
  isRead = false
  readonly #gathering: Gathering
  readonly #timeline = createTimeline()
  /** Where the part stands that was read last. */
  #place = 0
  /** With what still grows, behind the rest. */
  blocks: readonly ViewerBlock[] = []

  /** `key` tells it from all others; `before` is what stands before it. */
  constructor(entry: Entry, key: string, before: Item | null) {
    this.entry = entry
    this.#gathering = new Gathering(key, before)
  }

  /** What came next says the same better. */
  hide(): void {
    this.isRead = true
    this.blocks = []
  }

  /** The same entry as it is now. */
  update(entry: Entry): void {
    this.entry = entry
    this.isRead = false
  }

  /** Reads on, a bounded part; `now` in milliseconds since the Unix epoch. */
  read(now: number): void {
    const { entry } = this
    if (entry.kind === 'turn') return this.#readTurn(entry, now)
    const item = entryItem(entry)
    this.isRead = true
    if (item) this.#gathering.add(item, null)
    this.blocks = !item && entry.kind === 'shell' ? [this.#runningShell(entry, now)] : this.#gathering.blocks
  }

  #readTurn(turn: Turn, now: number): void {
    const items = this.#timeline.advance(chatOf(turn))
    for (const item of items) this.#gathering.add(item, this.#partOf(item, turn))
    this.isRead = !this.#timeline.isBehind()
    const tail = turn.endedAt === null && this.isRead ? this.#openParts(turn, now) : []
    this.blocks = tail.length === 0 ? this.#gathering.blocks : [...this.#gathering.blocks, ...tail]
  }

  /** Where the item's part stands in its turn: behind those of the items before it. */
  #partOf(item: Item, turn: Turn): number | null {
    if (item.kind === 'block' || item.kind === 'markup') return item.part
    const part = wholePart(item)
    if (part === null) return null
    while (this.#place < turn.parts.length && turn.parts.get(this.#place) !== part) this.#place += 1
    return this.#place
  }

  #openParts(turn: Turn, now: number): ViewerBlock[] {
    const blocks: ViewerBlock[] = []
    // What is put behind the rest for now must not count as part of it.
    const gathering = this.#gathering.fork()
    for (const index of partsFrom(turn, this.#timeline.openPart())) {
      const part = turn.parts.get(index)
      const block = part && this.#openPart(turn, index, part, now, gathering)
      if (block) blocks.push(block)
    }
    return blocks
  }

  #openPart(turn: Turn, index: number, part: Part, now: number, gathering: Gathering): ViewerBlock | null {
    switch (part.kind) {
      case 'notice':
        return gathering.grows({ kind: 'notice', notice: part }, index, null)
      case 'shell':
        return gathering.grows({ kind: 'shell', shell: part }, index, null)
      case 'tool': {
        const nested = nestedCalls(turn, index)
        const maxBody = LIVE_ROWS
        const live = ({ theme, width }: BlockLook) =>
          renderTool(part, nested, { theme, width, now, maxBody, detail: isOpen(part.state) ? 'full' : 'short' })
        return gathering.grows({ kind: 'tool', tool: part, nested }, index, live)
      }
      case 'text': {
        const text = index === this.#timeline.openPart() ? this.#timeline.openText() : null
        const open = text?.blocks.open(LIVE_ROWS) ?? []
        const [first] = open
        if (!text || !first) return null
        const source = text.lines.rest
        const live = ({ theme, width, raw }: BlockLook) =>
          raw
            ? rawOpen(source, width).slice(-LIVE_ROWS)
            : renderOpen(open, {
                width,
                style: theme.markdown,
                indent: PROSE_INDENT,
                maxRows: LIVE_ROWS,
                code: text.code,
              }).map(trusted)
        const item = { kind: 'block', block: first, first: !text.begun, part: index, code: null, source } as const
        return gathering.grows(item, index, live)
      }
    }
  }

  #runningShell(shell: Shell, now: number): ViewerBlock {
    const live = ({ theme, width }: BlockLook) =>
      shellLines(shell, { theme, width, now, maxBody: LIVE_ROWS, detail: 'full' })
    return this.#gathering.fork().grows({ kind: 'shell', shell }, 0, live)
  }
}

/** A conversation of this turn alone. */
function chatOf(turn: Turn): ChatState {
  return turn.endedAt === null ? { ...initialChat, open: turn } : { ...initialChat, entries: [turn] }
}

/** What of a turn's parts an item is that is all of one. */
function wholePart(item: Item): Part | null {
  switch (item.kind) {
    case 'tool':
      return item.tool
    case 'shell':
      return item.shell
    case 'notice':
      return item.notice
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

/** The finished pieces of the conversation in the order of the scrollback, with texts in blocks of Markdown. */
import { detached } from '../text/detached.ts'
import type { MarkdownBlock } from '../markdown/block.ts'
import { createBlocks, type Blocks } from '../markdown/blocks/blocks.ts'
import { beginsCode } from '../markdown/blocks/code-blocks.ts'
import { createOpenEnd, type OpenEnd } from '../markdown/render-open.ts'
import { SourceLines } from '../markdown/blocks/source-lines.ts'
import { textSince } from '../conversation/queries/text-growth.ts'
import { createWalk, isFinal, type OtherEntry } from '../conversation/walk.ts'
import type { ChatState, Compaction, Turn } from '../conversation/state.ts'
import type { Notice, Part, Shell, TextPart, SteerPart, ThoughtPart, ToolCall } from '../conversation/part.ts'

export type TimelineItem =
  | { kind: 'prompt'; turn: Turn }
  /**
   * `first` marks the first block of a text. `part` is the text's place in its turn. `code` is set on the first line of a
   * code block: its number in the turn, counted from 1. `source` is the block's own source lines, and those before it that
   * belong to no block.
   */
  | { kind: 'block'; block: MarkdownBlock; first: boolean; part: number; code: number | null; source: string }
  /** Lines of a text after its last block, such as the end of a fence: shown only in raw mode. */
  | { kind: 'markup'; text: string; part: number }
  | { kind: 'tool'; tool: ToolCall; nested: readonly ToolCall[] }
  | { kind: 'thought'; thought: ThoughtPart }
  | { kind: 'steer'; steer: SteerPart }
  /** The agent's to-do list as the turn left it. */
  | { kind: 'plan'; turn: Turn }
  /** `retry` counts from 2; null if an extension withdrew the text and the agent does not try again. */
  | { kind: 'withdrawn'; retry: number | null }
  | { kind: 'notice'; notice: Notice }
  | { kind: 'shell'; shell: Shell }
  | { kind: 'turn_end'; turn: Turn }
  | { kind: 'compaction'; compaction: Compaction }
  | { kind: 'cleared'; at: number }
  | { kind: 'agent_ended'; reason: string; hint: string }
  /** Plain text in lines that the terminal wraps, so that copying it gives the original. */
  | { kind: 'raw'; text: string }

export type Timeline = {
  /** Returns the pieces that have become final since the last call, or the first of them if there are very many. */
  advance: (chat: ChatState) => TimelineItem[]
  /** Whether the last `advance` left some pieces for the next. */
  isBehind: () => boolean
  /** The text that is being written, as of the last `advance`, and whether some of it has been emitted. */
  openText: () => GrowingText | null
  /** Index of the first part of the open turn that has not been emitted. */
  openPart: () => number
}

/** Pieces and characters taken at once: a key pressed meanwhile has to wait. */
const MOST_ITEMS = 50
const MOST_TEXT = 8192

/** A text that is being written, as views show it. A `code` of 0 is not known. */
export type GrowingText = Pick<OpenText, 'begun' | 'code' | 'drawEnd'> & {
  blocks: Pick<Blocks, 'open'>
  lines: Pick<SourceLines, 'rest'>
}

/** A text that is being written: how much of it was fed, and what of that is not parsed yet. */
type OpenText = {
  blocks: Blocks
  lines: SourceLines
  fed: number
  waiting: string
  begun: boolean
  /** The number of the next code block in it. */
  code: number
  drawEnd: OpenEnd
}

/** `from` is the number of entries that were emitted earlier. */
export function createTimeline(from = 0): Timeline {
  let items: TimelineItem[] = []
  let text: OpenText | null = null
  /** The number of code blocks, by part. */
  let codes = new Map<number, number>()
  let behind = false
  let atOpen = false
  const walk = createWalk(
    {
      turnBegan(turn) {
        codes = new Map()
        items.push({ kind: 'prompt', turn })
      },
      part: advancePart,
      partPassed: () => void (text = null),
      call(tool, nested, at) {
        items.push({ kind: 'tool', tool, nested })
        walk.stands(at)
      },
      withdrawn: retry => void items.push({ kind: 'withdrawn', retry }),
      turnEnded(turn) {
        if (turn.plan.length > 0 && !turn.planInAnswer) items.push({ kind: 'plan', turn })
        items.push({ kind: 'turn_end', turn })
      },
      entry(entry) {
        const item = entryItem(entry)
        if (item) items.push(item)
      },
      isFull() {
        behind ||= items.length >= MOST_ITEMS
        return behind
      },
      waitsForQuiet: true,
    },
    from,
  )

  return {
    advance(chat) {
      items = []
      behind = false
      walk.advance(chat)
      atOpen = walk.place().entry === chat.entries.length
      return items
    },
    isBehind: () => behind,
    openText: () => text,
    openPart: () => (atOpen ? walk.place().part : Number.POSITIVE_INFINITY),
  }

  /** Emits the final pieces of a part; true if the part is complete. */
  function advancePart(part: Exclude<Part, ToolCall>, at: number, turn: Turn): boolean {
    switch (part.kind) {
      case 'notice':
        items.push({ kind: 'notice', notice: part })
        return true
      case 'shell':
        items.push({ kind: 'shell', shell: part })
        return true
      case 'steer':
        items.push({ kind: 'steer', steer: part })
        return true
      case 'thought':
        if (part.endedAt !== null) items.push({ kind: 'thought', thought: part })
        return part.endedAt !== null
      case 'text':
        return advanceText(part, at, turn)
    }
  }

  function advanceText(part: TextPart, at: number, turn: Turn): boolean {
    text ??= {
      blocks: createBlocks(),
      lines: new SourceLines(),
      fed: 0,
      waiting: '',
      begun: false,
      code: 1,
      drawEnd: createOpenEnd(),
    }
    text.waiting += textSince(part, text.fed)
    text.fed = part.text.length
    const piece = text.waiting.length > MOST_TEXT ? detached(text.waiting.slice(0, MOST_TEXT)) : text.waiting
    text.waiting = text.waiting.slice(piece.length)
    behind = text.waiting !== ''
    text.lines.add(piece)
    const finished = text.blocks.push(piece)
    const rest = part.final && !behind ? text.blocks.end() : []
    for (const block of finished.concat(rest)) {
      const code = beginsCode(block) ? nextCode(at, turn) : null
      const source = text.lines.take(block.to)
      items.push({ kind: 'block', block, first: !text.begun, part: at, code, source })
      text.begun = true
    }
    text.code = codesIn(turn) + 1
    const isOver = part.final && !behind
    const left = isOver && text.begun ? text.lines.rest.trimEnd() : ''
    if (left !== '') items.push({ kind: 'markup', text: left, part: at })
    if (text.begun) walk.stands(at)
    return isOver
  }

  function nextCode(at: number, turn: Turn): number {
    codes.set(at, (codes.get(at) ?? 0) + 1)
    return codesIn(turn)
  }

  function codesIn(turn: Turn): number {
    return [...codes].reduce((sum, [part, count]) => (turn.parts.get(part)?.withdrawn ? sum : sum + count), 0)
  }
}

/** The item of an entry that is not a turn; null while it is open, and if it was withdrawn. */
export function entryItem(entry: OtherEntry): TimelineItem | null {
  if (!isFinal(entry)) return null
  switch (entry.kind) {
    case 'compaction':
      return { kind: 'compaction', compaction: entry }
    case 'notice':
      return entry.withdrawn ? null : { kind: 'notice', notice: entry }
    case 'shell':
      return { kind: 'shell', shell: entry }
    case 'cleared':
    case 'agent_ended':
      return entry
  }
}

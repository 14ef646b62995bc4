/**
 * The finished pieces of the conversation, in the order of the scrollback.
 *
 * The scrollback cannot be changed, so a piece is emitted once, when it can no longer change, and only after all earlier
 * ones. A timeline follows one growing conversation: `advance` is called with its successive states.
 */
import { detached } from '../text/detached.ts'
import type { MarkdownBlock } from '../markdown/block.ts'
import { createBlocks, type Blocks } from '../markdown/blocks/blocks.ts'
import { beginsCode } from '../markdown/blocks/code-blocks.ts'
import { createOpenEnd, type OpenEnd } from '../markdown/render-open.ts'
import { SourceLines } from '../markdown/blocks/source-lines.ts'
import { textSince } from '../conversation/queries/text-growth.ts'
import { nestedCalls, nestedPlaces } from '../conversation/calls/nesting.ts'
import { isOpen } from '../conversation/calls/tool-calls.ts'
import type { ChatState, Compaction, Entry, Turn } from '../conversation/state.ts'
import type { Notice, Part, Shell, TextPart, ThoughtPart, ToolCall } from '../conversation/part.ts'

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
  /** Index into `entries`; the open turn comes after the last. */
  let entryIndex = from
  /** Progress within the turn at that index. */
  let promptDone = false
  let partIndex = 0
  let text: OpenText | null = null
  /** The parts that are at least partly in the scrollback and not withdrawn. */
  let standing: number[] = []
  /** The parts of this turn that were emitted with the call that made them. */
  let nestedParts = new Set<number>()
  /** The attempt for which `standing` was last checked. */
  let attempt = ''
  /** The number of code blocks, by part. */
  let codes = new Map<number, number>()
  let behind = false
  let atOpen = false

  return {
    advance,
    isBehind: () => behind,
    openText: () => text,
    openPart: () => (atOpen ? partIndex : Number.POSITIVE_INFINITY),
  }

  function advance(chat: ChatState): TimelineItem[] {
    const items = handOut(chat)
    atOpen = entryIndex === chat.entries.length
    return items
  }

  function handOut(chat: ChatState): TimelineItem[] {
    const items: TimelineItem[] = []
    behind = false
    for (;;) {
      if (isEnough(items)) return items
      const entry: Entry | null = chat.entries[entryIndex] ?? (entryIndex === chat.entries.length ? chat.open : null)
      if (!entry) return items
      const following = chat.entries[entryIndex + 1] ?? (entryIndex < chat.entries.length ? chat.open : null)
      if (isQuiet(entry) && !following) return items
      const finished =
        entry.kind === 'turn' ? advanceTurn(entry, items) : isOutdated(entry, following) || advanceEntry(entry, items)
      if (!finished) return items
      entryIndex += 1
      promptDone = false
      partIndex = 0
      text = null
      standing = []
      attempt = ''
      nestedParts = new Set()
      codes = new Map()
    }
  }

  function advanceTurn(turn: Turn, items: TimelineItem[]): boolean {
    if (!promptDone) {
      promptDone = true
      items.push({ kind: 'prompt', turn })
    }
    noteWithdrawn(turn, items)
    for (; ; partIndex += 1, text = null) {
      const part = turn.parts.get(partIndex)
      if (!part) break
      if (isEnough(items)) return false
      if (!advancePart(part, turn, items)) return false
    }
    if (turn.endedAt === null) return false
    if (turn.plan.length > 0 && !turn.planInAnswer) items.push({ kind: 'plan', turn })
    items.push({ kind: 'turn_end', turn })
    return true
  }

  /** Emits a note if something in the scrollback was withdrawn. */
  function noteWithdrawn(turn: Turn, items: TimelineItem[]): void {
    // A withdrawal always begins another attempt, or the next step.
    const present = `${turn.attemptStart} ${turn.attempt}`
    if (present === attempt) return
    attempt = present
    const before = standing.length
    const still = standing.filter(index => !turn.parts.get(index)?.withdrawn)
    // Only the present attempt can still be withdrawn.
    standing = still.filter(index => index >= turn.attemptStart)
    if (still.length === before) return
    items.push({ kind: 'withdrawn', retry: turn.retries > 0 ? turn.retries + 1 : null })
  }

  /** Emits the final pieces of a part; true if the part is complete. */
  function advancePart(part: Part, turn: Turn, items: TimelineItem[]): boolean {
    if (part.withdrawn) return true
    switch (part.kind) {
      case 'notice':
        items.push({ kind: 'notice', notice: part })
        return true
      case 'shell':
        items.push({ kind: 'shell', shell: part })
        return true
      case 'text':
        return advanceText(part, turn, items)
      case 'thought':
        if (part.endedAt !== null) items.push({ kind: 'thought', thought: part })
        return part.endedAt !== null
      case 'tool':
        return advanceTool(part, turn, items)
    }
  }

  function advanceText(part: TextPart, turn: Turn, items: TimelineItem[]): boolean {
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
      const code = beginsCode(block) ? nextCode(turn) : null
      const source = text.lines.take(block.to)
      items.push({ kind: 'block', block, first: !text.begun, part: partIndex, code, source })
      text.begun = true
    }
    text.code = codesIn(turn) + 1
    const isOver = part.final && !behind
    const left = isOver && text.begun ? text.lines.rest.trimEnd() : ''
    if (left !== '') items.push({ kind: 'markup', text: left, part: partIndex })
    if (text.begun && !standing.includes(partIndex)) standing.push(partIndex)
    return isOver
  }

  function nextCode(turn: Turn): number {
    codes.set(partIndex, (codes.get(partIndex) ?? 0) + 1)
    return codesIn(turn)
  }

  function codesIn(turn: Turn): number {
    return [...codes].reduce((sum, [part, count]) => (turn.parts.get(part)?.withdrawn ? sum : sum + count), 0)
  }

  function isEnough(items: readonly TimelineItem[]): boolean {
    behind ||= items.length >= MOST_ITEMS
    return behind
  }

  function advanceTool(tool: ToolCall, turn: Turn, items: TimelineItem[]): boolean {
    if (nestedParts.has(partIndex)) return true
    if (isOpen(tool.state)) return false
    const nested = nestedCalls(turn, partIndex)
    if (nested.some(call => isOpen(call.state))) return false
    items.push({ kind: 'tool', tool, nested })
    standing.push(partIndex)
    for (const place of nestedPlaces(turn, partIndex)) nestedParts.add(place)
    return true
  }
}

/** A quiet notice waits until something follows it: a later one about the same thing replaces it. */
function isQuiet(entry: Entry): entry is Notice {
  return entry.kind === 'notice' && entry.level === 'quiet'
}

/** Whether a later notice stands for it: the one after it, about the same thing, or one that cancelled a preview. */
export function isOutdated(entry: Entry, following: Entry | null): boolean {
  if (entry.kind === 'notice' && entry.withdrawn) return true
  if (!following || !isQuiet(entry) || !isQuiet(following)) return false
  return entry.text.split(' ')[0] === following.text.split(' ')[0]
}

/** Emits an entry that is not a turn; false while it is open. */
function advanceEntry(entry: Exclude<Entry, Turn>, items: TimelineItem[]): boolean {
  const item = entryItem(entry)
  if (item) items.push(item)
  return item !== null
}

/** The item of an entry that is not a turn; null while it is open, and if it was withdrawn. */
export function entryItem(entry: Exclude<Entry, Turn>): TimelineItem | null {
  switch (entry.kind) {
    case 'compaction':
      return entry.endedAt === null ? null : { kind: 'compaction', compaction: entry }
    case 'notice':
      return entry.withdrawn ? null : { kind: 'notice', notice: entry }
    case 'shell':
      return entry.tool.endedAt === null ? null : { kind: 'shell', shell: entry }
    case 'cleared':
    case 'agent_ended':
      return entry
  }
}

/**
 * Bounds the conversation of a subagent that is kept in memory: its beginning is dropped, since nobody may ever open it. The session's
 * file has all of it.
 */
import type { Content } from '../agent/event.ts'
import type { PlainEvent } from '../agent/event.ts'
import { isPiece } from '../agent/pieces.ts'
import { detached } from '../text/detached.ts'
import { namesOfPart } from './calls/nesting.ts'
import { List } from './list.ts'
import type { Part, TextPart, ThoughtPart, ToolCall } from './part.ts'
import type { ChatState, Turn } from './state.ts'

/** About the characters at which a conversation is shortened, and those that stay. */
export const MOST_OF_TASK = 256 * 1024
const STAYS = MOST_OF_TASK / 2
/** What a part counts at least. */
const LEAST = 256

/** About the characters that an event adds. */
export function sizeOf(event: PlainEvent): number {
  if (isPiece(event)) return event.text.length
  if (event.type === 'tool_finished') return LEAST + contentSize(event.content)
  if (event.type === 'tool_called') return LEAST + JSON.stringify(event.arguments ?? null).length
  return LEAST
}

function contentSize(content: readonly Content[]): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : LEAST), 0)
}

/** The conversation without its beginning, and about the characters of the rest. */
export function shortened(chat: ChatState): { chat: ChatState; kept: number } {
  let room = STAYS
  let { open } = chat
  if (open?.kind === 'turn') {
    open = withoutBeginning(open, room)
    room -= turnSize(open)
  }
  const { entries } = chat
  const before = entries.findLastIndex(entry => {
    room -= entry.kind === 'turn' ? turnSize(entry) : LEAST
    return room < 0
  })
  // The last entry stays as far as possible: a turn that has just ended is what is read.
  const rest = entries.slice(before + 1)
  const last = entries[before]
  const isAllLost = rest.length === 0 && open === null && last?.kind === 'turn'
  const left: ChatState = { ...chat, open, entries: isAllLost ? [withoutBeginning(last, STAYS)] : rest }
  return { chat: left, kept: left.entries.reduce((sum, entry) => sum + entrySize(entry), open ? entrySize(open) : 0) }
}

function entrySize(entry: ChatState['entries'][number]): number {
  return entry.kind === 'turn' ? turnSize(entry) : LEAST
}

function turnSize(turn: Turn): number {
  let size = turn.prompt.length
  for (const part of turn.parts) size += partSize(part)
  return size
}

function partSize(part: Part): number {
  if (part.kind === 'tool') return LEAST + callSize(part)
  if (part.kind === 'text' || part.kind === 'thought' || part.kind === 'notice') return LEAST + part.text.length
  return LEAST
}

function callSize({ arguments: args, argumentsText, progress, result }: ToolCall): number {
  const written = argumentsText.length + progress.length
  return written + (args === undefined ? 0 : JSON.stringify(args).length) + contentSize(result ?? [])
}

/** The turn with its last parts, in at most about `room` characters; the last one stays, at least its end. */
function withoutBeginning(turn: Turn, room: number): Turn {
  let left = room
  const found = turn.parts.findLastIndex(part => {
    left -= partSize(part)
    return left < 0
  })
  if (found < 0) return turn
  const cut = Math.min(found + 1, turn.parts.length - 1)
  const kept = turn.parts.slice(cut).map((part, index) => (index === 0 && cut === found ? endOf(part, room) : part))
  const at = (place: number): number => Math.max(0, place - cut)
  return {
    ...turn,
    parts: List.of(kept, namesOfPart),
    aged: at(turn.aged),
    kept:
      turn.aged > cut ? turn.kept : kept.reduce((sum, part) => sum + (part.kind === 'tool' ? callSize(part) : 0), 0),
    attemptStart: at(turn.attemptStart),
    settled: at(turn.settled),
  }
}

function endOf(part: Part, room: number): Part {
  if (part.kind !== 'text' && part.kind !== 'thought') return part
  return withText(part, detached(part.text.slice(-room).toWellFormed()))
}

function withText(part: TextPart | ThoughtPart, text: string): Part {
  return part.kind === 'text'
    ? { ...part, text, grown: part.grown && { start: 0, text, before: null } }
    : { ...part, text }
}

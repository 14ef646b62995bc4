/** Puts back what was left out of a conversation's calls, from the events that a session's file has. */
import type { AgentEvent } from '../agent/event.ts'
import { reduceWhole } from './reduce.ts'
import { initialChat, type ChatState, type Entry, type Part, type ToolCall } from './state.ts'

/** How many calls something was left out of. */
export function shortenedCalls(chat: ChatState): number {
  return callsOf(chat).filter(tool => tool.leftOut !== null).length
}

/** The conversation with those calls whole that `events` tell of. */
export function withWhole(chat: ChatState, events: readonly AgentEvent[]): ChatState {
  const known = new Map<string, ToolCall[]>()
  const whole = events.reduce((state, event) => reduceWhole(state, event), initialChat)
  for (const tool of callsOf(whole)) known.set(keyOf(tool), [...(known.get(keyOf(tool)) ?? []), tool])
  const restored = (tool: ToolCall): ToolCall => {
    const found = known.get(keyOf(tool))?.shift()
    if (found === undefined || tool.leftOut === null) return tool
    const { argumentsText, arguments: given, result } = found
    return { ...tool, argumentsText, arguments: given, result, leftOut: null }
  }
  const part = (each: Part): Part => {
    if (each.kind === 'shell') return { ...each, tool: restored(each.tool) }
    return each.kind === 'tool' ? restored(each) : each
  }
  const entry = <Each extends Entry>(each: Each): Each => {
    if (each.kind === 'turn') return { ...each, parts: each.parts.changed(0, each.parts.length, part) }
    return each.kind === 'shell' ? { ...each, tool: restored(each.tool) } : each
  }
  return { ...chat, entries: chat.entries.map(entry), open: chat.open && entry(chat.open) }
}

function callsOf({ entries, open }: ChatState): ToolCall[] {
  return [...entries, ...(open ? [open] : [])].flatMap(entry => {
    if (entry.kind === 'shell') return [entry.tool]
    if (entry.kind !== 'turn') return []
    return [...entry.parts].flatMap(part => (part.kind === 'tool' ? [part] : part.kind === 'shell' ? [part.tool] : []))
  })
}

/** Ids repeat, but not in one millisecond. */
function keyOf({ id, draftedAt }: ToolCall): string {
  return `${draftedAt} ${id}`
}

/** Restores what was omitted from a conversation's calls, from the events in the session's file. */
import type { AgentEvent } from '../../../agent/event.ts'
import { reduceWhole } from '../../reduce.ts'
import { SHELL_ID } from '../../shell.ts'
import { initialChat, type ChatState, type Entry } from '../../state.ts'
import type { Part, ToolCall } from '../../part.ts'

/** The number of calls that are shortened. */
export function shortenedCalls(chat: ChatState): number {
  return callsOf(chat).filter(tool => tool.omitted !== null).length
}

/** Whether the conversation of a subagent is shortened. */
export function isTaskShortened({ tasks }: ChatState): boolean {
  return [...tasks].some(({ omitted, chat }) => omitted > 0 || (chat !== null && shortenedCalls(chat) > 0))
}

/** The conversation with every call in `events` restored in full. */
export function withFullCalls(chat: ChatState, events: readonly AgentEvent[]): ChatState {
  const known = new Map<string, ToolCall[]>()
  const chatOfAll = events.reduce((state, event) => reduceWhole(state, event), initialChat)
  for (const tool of callsOf(chatOfAll)) known.set(keyOf(tool), [...(known.get(keyOf(tool)) ?? []), tool])
  const whole = (tool: ToolCall): ToolCall => {
    const found = known.get(keyOf(tool))?.shift()
    return found === undefined || tool.omitted === null ? tool : restored(tool, found)
  }
  const part = (each: Part): Part => {
    if (each.kind === 'shell') return { ...each, tool: whole(each.tool) }
    return each.kind === 'tool' ? whole(each) : each
  }
  const entry = <Each extends Entry>(each: Each): Each => {
    if (each.kind === 'turn') return { ...each, parts: each.parts.changed(0, each.parts.length, part) }
    return each.kind === 'shell' ? { ...each, tool: whole(each.tool) } : each
  }
  // Without a session on disk what is in memory is all there is.
  const tasks = chatOfAll.tasks.size >= chat.tasks.size ? chatOfAll.tasks : chat.tasks
  return { ...chat, tasks, entries: chat.entries.map(entry), open: chat.open && entry(chat.open) }
}

/** A string that occurs in every line of a session about this call, and in few others. */
export function markOf({ id }: ToolCall): string {
  return id === SHELL_ID ? '"type":"shell_' : `"id":${JSON.stringify(id)}`
}

/** This call in full, restored from `events`; null if they do not include its result. */
export function wholeCall(tool: ToolCall, events: readonly AgentEvent[]): ToolCall | null {
  const begun: AgentEvent = { type: 'prompt_sent', at: 0, text: '', images: [] }
  const needed = events
    .map(event => (event.type === 'task_event' ? event.event : event))
    .filter(({ type }) => type !== 'tool_progressed' && type !== 'shell_printed')
  const chat = [begun, ...needed].reduce((state, event) => reduceWhole(state, event), initialChat)
  const found = callsOf(chat).find(each => keyOf(each) === keyOf(tool) && each.result !== null)
  return found ? restored(tool, found) : null
}

function restored(tool: ToolCall, { argumentsText, arguments: args, result, diffs, hunkLines }: ToolCall): ToolCall {
  return { ...tool, argumentsText, arguments: args, result, diffs, hunkLines, omitted: null }
}

function callsOf({ entries, open }: ChatState): ToolCall[] {
  return [...entries, ...(open ? [open] : [])].flatMap(entry => {
    if (entry.kind === 'shell') return [entry.tool]
    if (entry.kind !== 'turn') return []
    return [...entry.parts].flatMap(part => (part.kind === 'tool' ? [part] : part.kind === 'shell' ? [part.tool] : []))
  })
}

/** A unique key of a call: ids repeat, but not within a millisecond. */
function keyOf({ id, draftedAt }: ToolCall): string {
  return `${draftedAt} ${id}`
}

/** The conversation with complete tool calls: what was dropped from memory is read back from the session. */
import { counted } from '../../text/counted.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { sessionEntries } from '../../conversation/queries/session/session-entries.ts'
import {
  isTaskShortened,
  markOf,
  shortenedCalls,
  wholeCall,
  withFullCalls,
} from '../../conversation/queries/session/full-transcript.ts'
import type { ChatState } from '../../conversation/state.ts'
import type { ToolCall } from '../../conversation/part.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { AppContext } from './context.ts'

/** The current session. `missing` is the number of calls that stay shortened, since the session does not have them. */
export type FullTranscript = { chat: ChatState; missing: number }

export function fullTranscript({ state, sessions }: Pick<AppContext, 'state' | 'sessions'>): FullTranscript {
  const chat = { ...state().chat, entries: sessionEntries(state().chat) }
  if (shortenedCalls(chat) === 0 && !isTaskShortened(chat)) return { chat, missing: 0 }
  sessions?.flush()
  const events = sessions?.read(sessions.current().id)?.events ?? []
  const whole = withFullCalls(chat, events)
  return { chat: whole, missing: shortenedCalls(whole) }
}

/** Reads a complete call from the session in pieces, at the caller's pace. Null if the session does not have it. */
export function* readCall(sessions: Pick<Sessions, 'find'> | null, tool: ToolCall): Generator<void, ToolCall | null> {
  const events: AgentEvent[] = []
  for (const found of sessions?.find(markOf(tool)) ?? []) {
    events.push(...found)
    const whole = found.some(isEnd) ? wholeCall(tool, events) : null
    if (whole) return whole
    yield
  }
  return null
}

function isEnd(event: AgentEvent): boolean {
  const { type } = event.type === 'task_event' ? event.event : event
  return type === 'tool_finished' || type === 'shell_ended'
}

export function missingText(missing: number): string {
  return `${counted(missing, 'long tool output is', 'long tool outputs are')} shortened: this session does not have the rest.`
}

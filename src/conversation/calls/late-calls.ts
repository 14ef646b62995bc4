/** Calls that end after their turn: their command went on in the background. Pure. */
import type { EventOf } from '../../agent/event.ts'
import { lastCall } from './nesting.ts'
import { changeAt } from './tool-calls.ts'
import type { ChatState, Entry, Turn } from '../state.ts'

/** The conversation with the end of such a call in the turn that began it; null if it is no such call. */
export function finishedLate(state: ChatState, event: EventOf<'tool_finished'>): ChatState | null {
  const { id, at, failed, content } = event
  const has = (entry: Entry | null): entry is Turn => entry?.kind === 'turn' && lastCall(entry, id) >= 0
  if (has(state.open) || ![...state.tasks].some(({ callId }) => callId === id)) return null
  const entries = state.entries.map(entry => {
    if (!has(entry)) return entry
    const end = { state: failed ? 'failed' : 'ok', endedAt: at, result: content } as const
    return changeAt(entry, lastCall(entry, id), tool => ({ ...tool, ...end }))
  })
  return { ...state, entries }
}

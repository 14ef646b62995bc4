/** Calls that end after their turn: their command went on in the background. Pure. */
import type { EventOf } from '../../agent/event.ts'
import { lastCall } from './nesting.ts'
import { changeAt } from './tool-calls.ts'
import type { ChatState, Turn } from '../state.ts'

/** The conversation with the end of such a call in the turn that began it; null if it is no such call. */
export function finishedLate(state: ChatState, event: EventOf<'tool_finished'>): ChatState | null {
  if (state.open?.kind === 'turn' && lastCall(state.open, event.id) >= 0) return null
  const isLate = [...state.tasks].some(({ kind, callId }) => kind === 'command' && callId === event.id)
  if (!isLate) return null
  const index = state.entries.findLastIndex(entry => entry.kind === 'turn' && lastCall(entry, event.id) >= 0)
  const entry = state.entries[index]
  // It was of an earlier conversation.
  if (entry?.kind !== 'turn') return state
  return { ...state, entries: state.entries.with(index, finishedIn(entry, event)) }
}

function finishedIn(turn: Turn, { id, at, failed, content }: EventOf<'tool_finished'>): Turn {
  return changeAt(turn, lastCall(turn, id), tool => ({
    ...tool,
    state: failed ? 'failed' : 'ok',
    endedAt: at,
    result: content,
  }))
}

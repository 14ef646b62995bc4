/** A turn of the server: a prompt that it was sent, and how that ends for the user. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { AgentOperation } from '../../host/driver.ts'
import type { userMessage } from '../prompt.ts'
import type { RozEventOf } from '../wire/messages.ts'
import { createRozTurn, type RozTurn } from './turn.ts'

export type Flight = {
  readonly operation: AgentOperation
  readonly turn: RozTurn
  readonly messageId: string
  readonly request: ReturnType<typeof userMessage>
  readonly sentAt: number
  /** Whether it continues the user's turn with the outcome of deferred calls. */
  readonly isContinuation: boolean
  /** Whether the server has begun with it. */
  hasBegun: boolean
  /** Whether the server has ended it, or zotui has given up on it. */
  isOver: boolean
  /** Whether the memory has its prompt. */
  isKept: boolean
  /** Its rejections so far. */
  readonly rejections: RozEventOf<'session_rejected'>[]
  /** The ids of its calls, by those of the server. */
  readonly calls: Map<string, string>
}

export function createFlight(start: Pick<Flight, 'operation' | 'request' | 'sentAt' | 'isContinuation'>): Flight {
  const messageId = start.request.user_message.message_id
  const fresh = {
    turn: createRozTurn(),
    hasBegun: false,
    isOver: false,
    isKept: true,
    rejections: [],
    calls: new Map(),
  }
  return { ...start, ...fresh, messageId }
}

/** `cancelled`: the server reported it. `aborted`: the client gave up. */
export type FlightEnd = 'end' | 'cancelled' | 'aborted' | 'error'

/** The end of the user's turn. */
export function endOf(
  operation: AgentOperation,
  stop: 'end' | 'aborted' | 'error',
  message: string,
  at: number,
): AgentEvent[] {
  if (operation.isAborted) return [{ type: 'turn_ended', at }]
  if (stop === 'aborted') return [{ type: 'turn_ended', at, stop: 'cancelled' }]
  if (stop === 'end') return [{ type: 'turn_ended', at }]
  return [
    { type: 'error_reported', at, message },
    { type: 'turn_ended', at, stop: 'error' },
  ]
}

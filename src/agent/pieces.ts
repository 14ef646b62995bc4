import type { AgentEvent, EventOf } from './event.ts'

/** Events that carry a piece of a growing text. */
export type EventPiece = Extract<
  AgentEvent,
  { type: 'text_received' | 'thought_received' | 'tool_arguments_received' | 'tool_progressed' | 'shell_printed' }
>

/** A piece of the conversation, or of that of a subagent. */
export type AnyPiece = EventPiece | (Omit<EventOf<'task_event'>, 'event'> & { event: EventPiece })

export function isPiece(event: AgentEvent): event is EventPiece {
  return (
    event.type === 'text_received' ||
    event.type === 'thought_received' ||
    event.type === 'tool_arguments_received' ||
    event.type === 'tool_progressed' ||
    event.type === 'shell_printed'
  )
}

/** Whether it carries a piece of a text, be it in the conversation of a subagent. */
export function isAnyPiece(event: AgentEvent): event is AnyPiece {
  return event.type === 'task_event' ? isPiece(event.event) : isPiece(event)
}

/** The subagent whose conversation an event belongs to; null for the conversation itself. */
export function conversationOf(event: AgentEvent): string | null {
  return event.type === 'task_event' ? event.id : null
}

/** Returns a key for the text that a piece belongs to. */
export function textOf(piece: EventPiece): string {
  return 'id' in piece ? `${piece.type} ${piece.id}` : piece.type
}

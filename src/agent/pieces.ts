import type { AgentEvent } from './event.ts'

/** Events that carry a piece of a growing text. */
export type EventPiece = Extract<
  AgentEvent,
  { type: 'text_received' | 'thought_received' | 'tool_arguments_received' | 'tool_progressed' | 'shell_printed' }
>

export function isPiece(event: AgentEvent): event is EventPiece {
  return (
    event.type === 'text_received' ||
    event.type === 'thought_received' ||
    event.type === 'tool_arguments_received' ||
    event.type === 'tool_progressed' ||
    event.type === 'shell_printed'
  )
}

/** Returns a key for the text that a piece belongs to. */
export function textOf(piece: EventPiece): string {
  return 'id' in piece ? `${piece.type} ${piece.id}` : piece.type
}

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

/** Whether the second of two neighbouring events continues the text of the first one. */
export function continues(first: AgentEvent, second: AgentEvent): second is EventPiece {
  if (!isPiece(second) || first.type !== second.type) return false
  return !('id' in second) || ('id' in first && first.id === second.id)
}

/** A piece with the texts of those that continue it, at its own time. Anything else stays as it is. */
export function withMore(piece: AgentEvent, texts: readonly string[]): AgentEvent {
  return isPiece(piece) ? { ...piece, text: piece.text + texts.join('') } : piece
}

/** Joins two neighbouring pieces of one text, at the time of the first. Returns null for anything else. */
export function joined(first: AgentEvent, second: AgentEvent): AgentEvent | null {
  return continues(first, second) ? withMore(first, [second.text]) : null
}

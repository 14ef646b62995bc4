/** Joins the pieces of a growing text. Apart from `pieces.ts`, which the first frame needs. */
import type { AgentEvent } from './event.ts'
import { isPiece, type EventPiece } from './pieces.ts'

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

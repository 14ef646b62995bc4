/** Reads a growing text without copying what was there before. */
import { detached } from '../../text/detached.ts'
import type { TextPart } from '../part.ts'

/** The text after an offset. */
export function textSince(part: TextPart, offset: number): string {
  const pieces: string[] = []
  let from = part.text.length
  for (let piece = part.grown; piece && piece.start >= offset; piece = piece.before) {
    pieces.push(piece.text)
    from = piece.start
  }
  return from === offset ? pieces.toReversed().join('') : detached(part.text.slice(offset))
}

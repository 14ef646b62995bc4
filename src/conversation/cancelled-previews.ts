/** A notice that cancels a preview stands for it, wherever that is by now: in the same turn, below other text, or in an earlier entry. */
import type { Notice, Part } from './part.ts'
import type { ChatState, Entry, Turn } from './state.ts'

/** The conversation without the last preview of this text. */
export function withoutPreview(state: ChatState, text: string): ChatState {
  const isMeant = (part: Part | Entry): part is Notice =>
    part.kind === 'notice' && part.isPreview === true && !part.withdrawn && part.text === text
  const { open, entries } = state
  const inTurn = open?.kind === 'turn' ? lastPart(open, isMeant) : -1
  if (open?.kind === 'turn' && inTurn >= 0) return { ...state, open: withdrawnAt(open, inTurn) }
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry?.kind === 'turn') {
      const place = lastPart(entry, isMeant)
      if (place >= 0) return { ...state, entries: entries.with(index, withdrawnAt(entry, place)) }
    } else if (entry && isMeant(entry)) {
      return { ...state, entries: entries.with(index, { ...entry, withdrawn: true }) }
    }
  }
  return state
}

function lastPart({ parts }: Turn, isMeant: (part: Part) => boolean): number {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts.get(index)
    if (part && isMeant(part)) return index
  }
  return -1
}

function withdrawnAt(turn: Turn, index: number): Turn {
  return { ...turn, parts: turn.parts.changed(index, index + 1, part => ({ ...part, withdrawn: true })) }
}

/** The place in the session of the block that is chosen, for a mark. */
import type { TranscriptRequest } from '../../../src/app/pages/pages.ts'
import { sessionPlaceOf } from '../../../src/conversation/queries/session/place-in-chat.ts'
import type { SessionPlace } from '../../../src/conversation/queries/session/session-place.ts'
import type { ChatState } from '../../../src/conversation/state.ts'
import { chosenBlock, chosenSource, type TranscriptReading } from './reading.ts'

/** `live` is the conversation of the program. Null if the block is no part of a session. */
export function chosenPlace(
  reading: TranscriptReading,
  live: ChatState,
  request: TranscriptRequest,
): { place: Pick<SessionPlace, 'at' | 'call'>; line: string } | null {
  const { document, view } = reading
  const block = chosenBlock(reading)?.block
  const stored = view.session
  const chat = stored ? stored.chat : live
  if (!block || !chat) return null
  const task = stored ? stored.task : request && 'task' in request ? request.task : null
  // A note stands before a conversation whose beginning is not kept.
  const before = task !== null && (chat.tasks.get(task)?.omitted ?? 0) > 0 ? 1 : 0
  const entry = view.chosen.section - before
  const place = sessionPlaceOf(chat, { task, entry, part: block.group.part }, '')
  // A prompt is drawn with a mark, which is none of its words.
  const text = block.group.kind === 'prompt' ? (chosenSource(reading)?.text ?? '') : document.text(block)
  const line = text.split('\n').find(row => row.trim() !== '')
  return place && { place, line: line?.trim() ?? '' }
}

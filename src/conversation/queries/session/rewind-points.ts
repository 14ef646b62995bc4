/** The places in a conversation that the user can go back to. */
import type { RewindPoint } from '../../../agent/backend.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import { unpromptedWords } from '../shown-prompt.ts'

/** A place with its index among the events of the session, and its prompt as the agent got it. */
export type IndexedPoint = RewindPoint & { index: number; sent: string }

/** The prompts that were not refused, and the turns that the agent began itself. */
export function rewindPoints(events: readonly AgentEvent[]): IndexedPoint[] {
  const points: IndexedPoint[] = []
  events.forEach((event, index) => {
    if (event.type === 'prompt_sent') {
      const { text: sent, typed = sent, at } = event
      points.push({ index, turn: points.length + 1, text: typed, sent, at, checkpoint: null })
    }
    if (event.type === 'turn_begun') {
      const { at } = event
      const text = unpromptedWords(event)
      points.push({ index, turn: points.length + 1, text, sent: '', at, checkpoint: null, isUnprompted: true })
    }
    if (event.type === 'prompt_refused' && points.at(-1)?.isUnprompted !== true) points.pop()
    const last = points.at(-1)
    if (event.type === 'checkpoint_made' && last) last.checkpoint = event.id
  })
  return points
}

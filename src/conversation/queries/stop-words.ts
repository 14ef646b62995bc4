/** The agent's stop reason as a sentence; null for a plain end, and for one that is shown in another way. */
import { lookup } from '../../text/lookup.ts'
export function stopWords(stop: string): string | null {
  if (PLAIN.has(stop)) return null
  return lookup(WORDS, stop) ?? `The agent stopped: ${stop.replaceAll('_', ' ')}.`
}

const PLAIN: ReadonlySet<string> = new Set(['', 'end', 'end_turn', 'stop', 'cancelled', 'aborted', 'error', 'tool_use'])

const WORDS: Readonly<Partial<Record<string, string>>> = {
  refusal: 'The model refused to answer.',
  length: "The answer was cut off at the model's output limit.",
  max_tokens: "The answer was cut off at the model's output limit.",
  max_turn_requests: 'The agent stopped: it reached the limit of model calls per turn.',
  budget: 'The agent stopped: the budget of this turn is used up.',
}

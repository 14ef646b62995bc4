import type { Turn } from '../state.ts'

/** The agent's whole answer in this turn as it was written, without tool calls. */
export function answerOf(turn: Turn): string {
  return textsOf(turn).join('\n\n')
}

/**
 * The texts after the last call, or else the last ones before it: the answer without the texts between calls.
 * Empty if it said nothing.
 */
export function finalAnswer({ parts }: Turn): string {
  const texts: string[] = []
  for (const part of [...parts].toReversed()) {
    if (part.kind === 'tool' && !part.withdrawn && texts.length > 0) break
    if (part.kind === 'text' && !part.withdrawn && part.text.trim() !== '') texts.unshift(part.text.trim())
  }
  return texts.join('\n\n')
}

/** The pieces of the agent's answer, in order. */
export function textsOf(turn: Turn): string[] {
  return [...turn.parts]
    .flatMap(part => (part.kind === 'text' && !part.withdrawn ? [part.text.trim()] : []))
    .filter(text => text !== '')
}

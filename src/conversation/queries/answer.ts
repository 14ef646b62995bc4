import type { Turn } from '../state.ts'

/** The agent's whole answer in this turn as it was written, without tool calls. */
export function answerOf(turn: Turn): string {
  return textsOf(turn).join('\n\n')
}

/** The pieces of the agent's answer, in order. */
export function textsOf(turn: Turn): string[] {
  return [...turn.parts]
    .flatMap(part => (part.kind === 'text' && !part.withdrawn ? [part.text.trim()] : []))
    .filter(text => text !== '')
}

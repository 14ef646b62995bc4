import type { Turn } from './state.ts'

/** All that the agent said in this turn, as it was written, without what it did. */
export function answerOf(turn: Turn): string {
  return textsOf(turn).join('\n\n')
}

/** The texts of it, one after the other. */
export function textsOf(turn: Turn): string[] {
  return [...turn.parts]
    .flatMap(part => (part.kind === 'text' && !part.withdrawn ? [part.text.trim()] : []))
    .filter(text => text !== '')
}

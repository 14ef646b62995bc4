/** One model call of a turn: its thoughts and its text. Pure. */
import type { AgentEvent, AnswerContent } from '../../../agent/event.ts'

export type MeerkatStep = {
  /** The agent's id of its message. */
  readonly messageId: string
  /** The text as it is known now. */
  readonly text: string
  /** Whether its answer has been sent. */
  readonly isAnswered: boolean
  said(text: string, at: number): AgentEvent[]
  thought(text: string, at: number): AgentEvent[]
  /** The whole text. After a switch of the model a step has only this, and lost pieces are recovered from it. */
  textIs(text: string, at: number): AgentEvent[]
  thoughtIs(text: string, at: number): AgentEvent[]
  /** The model call is repeated: its text is withdrawn. */
  retry(at: number): AgentEvent[]
  /** Emits the answer, once. */
  answer(calls: readonly AnswerContent[], at: number): AgentEvent[]
}

export function createStep(messageId: string): MeerkatStep {
  let text = ''
  let thoughts = ''
  let isStarted = false
  let isAnswered = false

  return {
    messageId,
    get text() {
      return text
    },
    get isAnswered() {
      return isAnswered
    },
    said,
    thought(piece, at) {
      if (piece === '' || isAnswered) return []
      thoughts += piece
      return [...start(at), { type: 'thought_received', at, text: piece }]
    },
    textIs(whole, at) {
      if (whole.startsWith(text)) return said(whole.slice(text.length), at)
      text = whole
      return []
    },
    thoughtIs(whole, at) {
      const rest = whole.startsWith(thoughts) ? whole.slice(thoughts.length) : ''
      thoughts += rest
      // A thought after the text would stand below it.
      return rest === '' || text !== '' ? [] : [...start(at), { type: 'thought_received', at, text: rest }]
    },
    retry(at) {
      const withdrawn: AgentEvent[] = isStarted ? [{ type: 'answer_withdrawn', at }] : []
      text = ''
      thoughts = ''
      isStarted = false
      return withdrawn
    },
    answer(calls, at) {
      if (isAnswered) return []
      isAnswered = true
      const content: AnswerContent[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls]
      return [...start(at), { type: 'answer_finished', at, content }]
    },
  }

  function start(at: number): AgentEvent[] {
    if (isStarted) return []
    isStarted = true
    return [{ type: 'answer_started', at }]
  }

  function said(piece: string, at: number): AgentEvent[] {
    if (piece === '' || isAnswered) return []
    text += piece
    return [...start(at), { type: 'text_received', at, text: piece }]
  }
}

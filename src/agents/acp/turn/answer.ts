/**
 * The text of an answer. If the model's stream breaks, some agents send the text again under another message id without a
 * retraction: the equal beginning is then not emitted twice. Pure.
 */
import type { AgentEvent } from '../../../agent/event.ts'

export type AnswerText = {
  /** A piece of the message with this id; null if the agent sends none. */
  text(piece: string, messageId: string | null, at: number): AgentEvent[]
  /** A call comes: a text after it is another one. */
  call(at: number): AgentEvent[]
  /** The user's words have reached the agent: its answer to them has another id, and is no second try of what it said before. */
  steered(at: number): AgentEvent[]
  end(at: number): AgentEvent[]
}

export function createAnswer(): AnswerText {
  let isStarted = false
  let id: string | null = null
  /** The message so far, which the next one may begin with. */
  let said = ''
  /** The part of a message that has been the same as the one before until now; null if none is compared. */
  let compared: string | null = null
  let isAfterCall = false
  /** Whether the agent has not answered the user's words yet. The last pieces of what it said before may still come. */
  let isSteered = false

  return {
    text(piece, messageId, at) {
      if (piece === '') return []
      const isAnswerToSteer = isSteered && messageId !== id
      if (isAfterCall || isAnswerToSteer) said = ''
      if (isAnswerToSteer) isSteered = false
      const isNew = messageId !== id && said !== ''
      isAfterCall = false
      id = messageId
      if (isNew) return [...release(at), ...compare(piece, at)]
      return compared === null ? receive(piece, at) : compare(piece, at)
    },
    call(at) {
      isAfterCall = true
      return release(at)
    },
    steered(at) {
      isSteered = true
      isAfterCall = true
      return release(at)
    },
    end: release,
  }

  function receive(text: string, at: number): AgentEvent[] {
    said += text
    const received: AgentEvent = { type: 'text_received', at, text }
    if (isStarted) return [received]
    isStarted = true
    return [{ type: 'answer_started', at }, received]
  }

  function compare(piece: string, at: number): AgentEvent[] {
    compared = (compared ?? '') + piece
    if (compared.length < said.length && said.startsWith(compared)) return []
    if (!compared.startsWith(said)) return release(at)
    const rest = compared.slice(said.length)
    compared = null
    const message = 'The agent began its answer again.'
    const retry: AgentEvent = { type: 'retry_announced', at, attempt: null, of: null, delayMs: null, message }
    return rest === '' ? [retry] : [retry, ...receive(rest, at)]
  }

  /** Emits the buffered text: it belongs to another message, so it begins a new paragraph. */
  function release(at: number): AgentEvent[] {
    if (compared === null) return []
    const text = compared
    compared = null
    const gap = said.slice(said.trimEnd().length).includes('\n') ? '' : '\n\n'
    said = ''
    return receive(gap + text, at)
  }
}

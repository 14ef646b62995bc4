import type { AgentEvent } from '../agent/event.ts'
import type { ChatState } from '../conversation/state.ts'
import { finalAnswer } from '../conversation/queries/answer.ts'
import { lastTurn } from '../conversation/queries/last-turn.ts'
import { toJson } from '../text/json.ts'
import type { PrintResult } from './json-lines.ts'

/** Writes events as they come. */
export type PrintWriter = {
  /** Takes the conversation so far, which is not written, and its events if other programs can attach. */
  begins: (chat: ChatState, earlier: readonly AgentEvent[]) => void
  /** Takes each event with the conversation that includes it. */
  onEvent: (chat: ChatState, event: AgentEvent) => void
  /** Ends an unfinished line on a terminal, before a message there. */
  breakLine?: () => void
  /** Ends the output. */
  ended: () => void
}

/** A destination for text: standard output, or a test. */
export type Sink = (text: string) => void

/** Writes every event as one line of JSON, between a line that names the session and one with the result. */
export type JsonWriter = PrintWriter & {
  /** Names the session; null if none is kept. Only the first call counts. */
  opens: (session: string | null) => void
  /** Writes the last line. Nothing is written after it. */
  finish: (result: Omit<PrintResult, 'type' | 'at'>) => void
}

export function createJsonWriter(write: Sink, now: () => number): JsonWriter {
  let isOpen = false
  let isOver = false
  const put = (line: unknown): void => (isOver ? undefined : write(`${toJson(line)}\n`))
  const opens = (session: string | null): void => {
    if (!isOpen) put({ type: 'session_opened', at: now(), session })
    isOpen = true
  }
  return {
    opens,
    begins() {},
    onEvent: (_chat, event) => put(event),
    ended() {},
    finish(result) {
      opens(result.session)
      put({ type: 'result', at: now(), ...result })
      isOver = true
    },
  }
}

/** Writes the final answer of a turn when it has ended well, and nothing else. */
export function createFinalWriter(write: Sink): PrintWriter {
  return {
    begins() {},
    onEvent({ entries }, { type }) {
      const turn = type === 'turn_ended' ? lastTurn(entries) : undefined
      // Nobody asked for what the agent says in a turn of its own.
      const text = turn?.outcome === 'done' && !turn.unprompted ? finalAnswer(turn) : ''
      if (text !== '') write(`${text}\n`)
    },
    ended() {},
  }
}

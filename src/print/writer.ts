import type { AgentEvent } from '../agent/event.ts'
import type { ChatState } from '../conversation/state.ts'
import { toJson } from '../text/json.ts'

/** Writes events as they come. */
export type PrintWriter = {
  /** Takes the conversation so far, which is not written, and its events if other programs can attach. */
  begins: (chat: ChatState, earlier: readonly AgentEvent[]) => void
  /** Takes each event with the conversation that includes it. */
  told: (chat: ChatState, event: AgentEvent) => void
  /** Ends an unfinished line on a terminal, before a message there. */
  breakLine?: () => void
  /** Ends the output. */
  ended: () => void
}

/** A destination for text: standard output, or a test. */
export type Sink = (text: string) => void

/** Writes every event as one line of JSON. */
export function createJsonWriter(write: Sink): PrintWriter {
  return {
    begins() {},
    told: (_chat, event) => write(`${toJson(event)}\n`),
    ended() {},
  }
}

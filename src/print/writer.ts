import type { AgentEvent } from '../agent/event.ts'
import type { ChatState } from '../conversation/state.ts'
import { toJson } from '../text/json.ts'

/** Puts out what is told, as it comes. */
export type Writer = {
  /** What was there before: nothing of it is put out. */
  begins: (chat: ChatState) => void
  /** Each event with the conversation that it has become part of. */
  told: (chat: ChatState, event: AgentEvent) => void
  /** Nothing more will be told. */
  ended: () => void
}

/** Where text goes: standard output, or a test. */
export type Sink = (text: string) => void

/** Puts out every event, one a line. */
export function createJsonWriter(write: Sink): Writer {
  return {
    begins() {},
    told: (_chat, event) => write(`${toJson(event)}\n`),
    ended() {},
  }
}

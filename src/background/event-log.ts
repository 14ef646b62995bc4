/** The events of the conversation so far, for programs that attach later. */
import type { AgentEvent } from '../agent/event.ts'
import { joined } from '../agent/join-pieces.ts'

/** Characters that are kept of the output of a running tool. Its result comes in full later. */
const LONGEST_TOOL_OUTPUT = 1_000_000

export class EventLog {
  #events: AgentEvent[] = []

  /** The pieces of a text become one event. */
  add(event: AgentEvent): void {
    const last = this.#events.at(-1)
    const both = last && joined(last, event)
    if (both) this.#events[this.#events.length - 1] = cut(both)
    else this.#events.push(event)
  }

  /** The conversation is another one, with these events. */
  replace(events: readonly AgentEvent[]): void {
    this.#events = []
    for (const each of events) this.add(each)
  }

  all(): readonly AgentEvent[] {
    return this.#events
  }
}

function cut(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_progressed' || event.text.length <= 2 * LONGEST_TOOL_OUTPUT) return event
  return { ...event, text: event.text.slice(-LONGEST_TOOL_OUTPUT) }
}

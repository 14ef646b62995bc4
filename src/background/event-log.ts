/** The events of the conversation so far, for programs that attach later. */
import type { AgentEvent } from '../agent/event.ts'
import { joined, LastEvents } from '../agent/join-pieces.ts'

/** Characters that are kept of the output of a running tool. Its result comes in full later. */
const LONGEST_TOOL_OUTPUT = 1_000_000

export class EventLog {
  #events: AgentEvent[] = []
  readonly #last = new LastEvents()

  /** The pieces of a text become one event. */
  add(event: AgentEvent): void {
    const place = this.#last.before(event)
    const before = place === undefined ? undefined : this.#events[place]
    const both = before && joined(before, event)
    if (both && place !== undefined) this.#events[place] = cut(both)
    else {
      this.#last.note(event, this.#events.length)
      this.#events.push(event)
    }
  }

  /** The conversation is another one, with these events. */
  replace(events: readonly AgentEvent[]): void {
    this.#events = []
    this.#last.clear()
    for (const each of events) this.add(each)
  }

  all(): readonly AgentEvent[] {
    return this.#events
  }
}

function cut(event: AgentEvent): AgentEvent {
  if (event.type === 'task_event') {
    const inner = cut(event.event)
    return inner.type === 'task_event' || inner === event.event ? event : { ...event, event: inner }
  }
  if (event.type !== 'tool_progressed' || event.text.length <= 2 * LONGEST_TOOL_OUTPUT) return event
  return { ...event, text: event.text.slice(-LONGEST_TOOL_OUTPUT) }
}

/** The events of a conversation in the background so far, for clients that attach later. */
import type { AgentEvent } from '../agent/event.ts'
import { joined } from '../agent/join-pieces.ts'

/** Characters that are kept of the output of a running tool. Its result comes in full later. */
const LONGEST_OUTPUT = 1_000_000

export type EventLog = {
  add: (event: AgentEvent) => void
  clear: () => void
  all: () => readonly AgentEvent[]
}

export function createEventLog(): EventLog {
  const events: AgentEvent[] = []
  return {
    add(event) {
      const last = events.at(-1)
      const both = last && joined(last, event)
      if (both) events[events.length - 1] = cut(both)
      else events.push(event)
    },
    clear: () => void events.splice(0),
    all: () => events,
  }
}

function cut(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_progressed' || event.text.length <= 2 * LONGEST_OUTPUT) return event
  return { ...event, text: event.text.slice(-LONGEST_OUTPUT) }
}

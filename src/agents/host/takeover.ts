/** A fresh agent that starts beside the current one. Its events are buffered until it takes over. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Refused } from '../../agent/backend.ts'

export type EventBuffer = {
  /** Receives the events of the fresh agent. */
  take: (event: AgentEvent) => void
  readonly events: readonly AgentEvent[]
  /** The reason why it cannot be used: it did not start, or has ended again. Null if it can be used. */
  refusal(): Refused | null
  /** Passes on the buffered events, and every event from now on. */
  release(): void
}

/** `name` is that of the fresh agent. */
export function bufferEvents(name: string, pass: (event: AgentEvent) => void): EventBuffer {
  const events: AgentEvent[] = []
  let isBuffering = true

  return {
    events,
    take(event) {
      if (isBuffering) events.push(event)
      else pass(event)
    },
    refusal() {
      const end = events.findLast(event => event.type === 'agent_ended')
      if (end?.type === 'agent_ended') {
        const words = [end.reason, end.hint].filter(part => part !== '').join('; ')
        return { ok: false, message: words === '' ? `${name} has ended` : words }
      }
      return events.some(({ type }) => type === 'agent_started')
        ? null
        : { ok: false, message: `${name} did not start` }
    },
    release() {
      isBuffering = false
      events.forEach(pass)
    },
  }
}

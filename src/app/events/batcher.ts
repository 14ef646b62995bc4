import type { AgentEvent } from '../../agent/event.ts'
import { joined } from '../../agent/joined.ts'

/** Milliseconds between frames: events that arrive in between are drawn together. */
export const FRAME = 24

export type EventBatcher = {
  push: (event: AgentEvent) => void
  /** Delivers the gathered events at once. */
  flush: () => void
  /** Calls `listener` with the events of each frame, after they were delivered. */
  subscribe: (listener: (events: readonly AgentEvent[]) => void) => void
}

/**
 * Gathers events into frames: the first after a pause is delivered at once, those that follow within a frame together at its
 * end, with adjacent pieces of the same text joined. No event waits longer than a frame.
 */
export function createEventBatcher(deliver: (events: AgentEvent[]) => void): EventBatcher {
  const listeners: ((events: readonly AgentEvent[]) => void)[] = []
  let gathered: AgentEvent[] = []
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (gathered.length === 0) return
    const events = gathered
    gathered = []
    deliver(events)
    for (const listener of listeners) listener(events)
  }

  return {
    flush,
    subscribe: listener => void listeners.push(listener),
    push(event) {
      const last = gathered.at(-1)
      const both = last ? joined(last, event) : null
      if (both) gathered[gathered.length - 1] = both
      else gathered.push(event)
      if (timer) return
      flush()
      timer = setTimeout(function frame() {
        timer = null
        if (gathered.length === 0) return
        flush()
        timer = setTimeout(frame, FRAME)
      }, FRAME)
    },
  }
}

import type { AgentEvent } from '../agent/event.ts'

/** Milliseconds between frames: what came meanwhile is drawn together. */
export const FRAME = 24

export type Frames = {
  push: (event: AgentEvent) => void
  /** Hands over what has been gathered, at once. */
  flush: () => void
}

/**
 * Gathers events to frames: the first after a pause is handed over at once, what follows within a frame together at its
 * end, with neighbouring pieces of the same text joined. Nothing is ever held back longer than a frame.
 */
export function createFrames(deliver: (events: AgentEvent[]) => void): Frames {
  let gathered: AgentEvent[] = []
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (gathered.length === 0) return
    const events = gathered
    gathered = []
    deliver(events)
  }

  return {
    flush,
    push(event) {
      const last = gathered.at(-1)
      const joined = last ? join(last, event) : null
      if (joined) gathered[gathered.length - 1] = joined
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

/** Two neighbouring pieces of one text as one event, or null. */
function join(first: AgentEvent, second: AgentEvent): AgentEvent | null {
  if (first.type === 'text_received' && second.type === 'text_received') {
    return { ...first, text: first.text + second.text }
  }
  if (first.type === 'shell_printed' && second.type === 'shell_printed') {
    return { ...first, text: first.text + second.text }
  }
  const sameTool =
    (first.type === 'tool_progressed' && second.type === 'tool_progressed') ||
    (first.type === 'tool_arguments_received' && second.type === 'tool_arguments_received')
  if (sameTool && first.id === second.id) return { ...first, text: first.text + second.text }
  return null
}

/** Gathers the events of the agent, and decides when the next frame is due. */
import type { AgentEvent } from '../../agent/event.ts'
import { continues, withMore } from '../../agent/join-pieces.ts'
import { isPiece } from '../../agent/pieces.ts'
import { FRAME } from '../../platform/pace.ts'

/** Milliseconds that pieces of text wait in a conversation that is not shown. */
export const UNSEEN_FRAME = 250

/** The event of a key that stops a turn: its effect is drawn at once, as that of any key, also while text comes. */
const ANSWERS_KEY = 'abort_requested'

/** Events that came within this time were in one read, in milliseconds. */
const ONE_READ = 2

export type EventBatcher = {
  push: (event: AgentEvent) => void
  /** Delivers the gathered events at once. */
  flush: () => void
  /** Calls `listener` with the events of each frame, after they were delivered. */
  subscribe: (listener: (events: readonly AgentEvent[]) => void) => void
}

/**
 * Gathers events into frames, with adjacent pieces of the same text joined. The first after a pause is delivered at once, the
 * others of the same turn of the event loop together at the end of that turn, and those that follow within a frame together at
 * its end: no event waits longer than a frame. What a key asked for does not wait. In a hidden conversation pieces of text wait longer, or until another event, so
 * that many streaming conversations do not slow the shown one.
 */
export function createEventBatcher(
  deliver: (events: AgentEvent[]) => void,
  isShown = (): boolean => true,
): EventBatcher {
  const listeners: ((events: readonly AgentEvent[]) => void)[] = []
  let gathered: AgentEvent[] = []
  /** The texts that continue the last of them. They are joined once, when no more of them can come. */
  let more: string[] = []
  /** The times at which the first and the last of them came. */
  let [first, latest] = [0, 0]
  /** The time at which the first of those before came. */
  let before = 0
  let timer: NodeJS.Timeout | null = null
  /** True if the timer is the longer one of a hidden conversation. */
  let isPatient = false

  function flush(): void {
    if (gathered.length === 0) return
    joinMore()
    const events = gathered
    gathered = []
    before = first
    deliver(events)
    for (const listener of listeners) listener(events)
  }

  return {
    flush,
    subscribe: listener => void listeners.push(listener),
    push(event) {
      latest = performance.now()
      if (gathered.length === 0) first = latest
      gather(event)
      if (event.type === ANSWERS_KEY) return flush()
      if (timer && !isPatient) return
      const mayWait = isPiece(event) && !isShown()
      if (timer && mayWait) return
      if (timer) clearTimeout(timer)
      isPatient = mayWait
      if (!mayWait) {
        // The agent's next events may be in the same read.
        queueMicrotask(flush)
        flush()
      }
      timer = setTimeout(frame, mayWait ? UNSEEN_FRAME : FRAME)
    },
  }

  function gather(event: AgentEvent): void {
    const last = gathered.at(-1)
    if (last && continues(last, event)) return void more.push(event.text)
    joinMore()
    gathered.push(event)
  }

  function joinMore(): void {
    const last = gathered.at(-1)
    if (last && more.length > 0) gathered[gathered.length - 1] = withMore(last, more)
    more = []
  }

  function frame(): void {
    timer = null
    if (gathered.length === 0) return
    // A source that is read once a frame sets the clock: the next frame is due a frame after the read that this one shows.
    const isOneRead = latest - first < ONE_READ && first - before > FRAME - ONE_READ
    const waited = isOneRead ? performance.now() - first : 0
    flush()
    // The next piece begins a longer frame.
    if (isShown()) timer = setTimeout(frame, Math.max(0, FRAME - waited))
    isPatient = false
  }
}

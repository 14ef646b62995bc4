/** Gathers the events of the agent, and decides when the next frame is due. */
import type { AgentEvent } from '../../agent/event.ts'
import { PieceGatherer } from '../../agent/join-pieces.ts'
import { isPiece } from '../../agent/pieces.ts'
import { FRAME } from '../../platform/pace.ts'

/** Milliseconds that pieces of text wait in a conversation that is not shown, or that of a subagent: of that only little is. */
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
 * its end: no event waits longer than a frame. What a key asked for does not wait. Pieces of text in a hidden conversation and in that of a
 * subagent wait longer, or until another event, so that many streaming conversations do not slow the shown one.
 */
export function createEventBatcher(
  deliver: (events: AgentEvent[]) => void,
  isShown = (): boolean => true,
): EventBatcher {
  const listeners: ((events: readonly AgentEvent[]) => void)[] = []
  const gathered = new PieceGatherer(isEvent)
  /** Pieces of subagents. */
  const unseen = new PieceGatherer(isEvent)
  let unseenTimer: NodeJS.Timeout | null = null
  /** The times at which the first and the last of them came. */
  let [first, latest] = [0, 0]
  /** The time at which the first of those before came. */
  let before = 0
  let timer: NodeJS.Timeout | null = null
  /** True if the timer is the longer one of a hidden conversation. */
  let isPatient = false

  function flush(): void {
    if (gathered.isEmpty) return
    const events = gathered.takeAll()
    before = first
    deliver(events)
    for (const listener of listeners) listener(events)
  }

  function flushAll(): void {
    if (unseenTimer) clearTimeout(unseenTimer)
    unseenTimer = null
    for (const event of unseen.takeAll()) gathered.add(event)
    flush()
  }

  return {
    flush: flushAll,
    subscribe: listener => void listeners.push(listener),
    push(event) {
      if (event.type === 'task_event' && isPiece(event.event)) {
        unseen.add(event)
        unseenTimer ??= setTimeout(flushAll, UNSEEN_FRAME)
        return
      }
      if (!isPiece(event)) for (const piece of unseen.takeAll()) gathered.add(piece)
      latest = performance.now()
      if (gathered.isEmpty) first = latest
      gathered.add(event)
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

  function frame(): void {
    timer = null
    if (gathered.isEmpty) return
    // A source that is read once a frame sets the clock: the next frame is due a frame after the read that this one shows.
    const isOneRead = latest - first < ONE_READ && first - before > FRAME - ONE_READ
    const waited = isOneRead ? performance.now() - first : 0
    flush()
    // The next piece begins a longer frame.
    if (isShown()) timer = setTimeout(frame, Math.max(0, FRAME - waited))
    isPatient = false
  }
}

/** All that it gathers are events. */
function isEvent(_event: AgentEvent): _event is AgentEvent {
  return true
}

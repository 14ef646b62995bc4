/** Plays a session on the screen: folds its events into the conversation when they are due. No agent runs. */
import type { AgentEvent } from '../agent/event.ts'
import { breakOff } from '../app/events/snapshot.ts'
import { reduce } from '../conversation/reduce.ts'
import type { ChatState } from '../conversation/state.ts'
import { createPace } from '../platform/pace.ts'
import { createReplayClock, type ReplayClock, type ReplayClockOptions } from './clock.ts'
import { scheduleOf, type Schedule } from './schedule.ts'

/** Where a session is played. */
export type ReplayScreen = {
  chat: () => ChatState
  /** Shows the conversation after these events. */
  show: (chat: ChatState, events: readonly AgentEvent[]) => void
  /** A wait begins, of which so many milliseconds are left out. */
  onWait: (leftOut: number) => void
}

export type Replay = Omit<Schedule, 'moments'> & {
  clock: ReplayClock
  /** The time in the session, in milliseconds since the Unix epoch. */
  now: () => number
  /** Plays from the first event to the last. Resolves at the end. */
  play: (screen: ReplayScreen) => Promise<void>
}

/** Milliseconds for which events are folded before keys and frames get a turn. */
const SLICE = 10

export function createReplay(events: readonly AgentEvent[], options: ReplayClockOptions): Replay {
  const { moments, ...schedule } = scheduleOf(events)
  const clock = createReplayClock(options)
  /** The number of moments that were played. */
  let played = 0

  return { ...schedule, clock, now, play }

  function now(): number {
    const [last, next] = [moments[played - 1], moments[played]]
    if (!last || !next) return (last ?? next)?.at ?? 0
    // A wait that is shortened passes as it did, and then jumps to its end.
    return last.at + Math.max(0, Math.min(clock.position(), next.due) - last.due)
  }

  async function play({ chat, show, onWait }: ReplayScreen): Promise<void> {
    const pace = createPace(SLICE)
    for (let next = moments[played]; next; next = moments[played]) {
      if (next.leftOut > 0 && !clock.isDue(next.due)) onWait(next.leftOut)
      await clock.due(next.due)
      const taken: AgentEvent[] = []
      do {
        taken.push(...next.events)
        played += 1
        next = moments[played]
      } while (next && clock.isDue(next.due) && !pace.isDue())
      show(taken.reduce(reduce, chat()), taken)
      await pace.rest()
    }
    clock.skipTo(schedule.length)
    // A turn in which the session breaks off would otherwise never end.
    const { open, shell } = chat()
    if (!open && !shell) return
    const ending = breakOff(chat(), now())
    show(ending.reduce(reduce, chat()), ending)
  }
}

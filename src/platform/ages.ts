import { uptime } from 'node:os'

/**
 * The time since things were first seen, by a clock that nobody sets. That of the day may jump: forward, and a call that has just come would
 * count as read; back, and none would for an hour.
 */
export type Ages = {
  /** Notes those that are there now, and forgets all others. */
  see: (ids: readonly string[]) => void
  /** Milliseconds; 0 for what was never seen. */
  of: (id: string) => number
}

export function createAges(elapsed: () => number): Ages {
  let since: ReadonlyMap<string, number> = new Map()
  return {
    see(ids) {
      since = new Map(ids.map(id => [id, since.get(id) ?? elapsed()]))
    },
    of: id => elapsed() - (since.get(id) ?? elapsed()),
  }
}

/** Milliseconds since some moment. */
export const elapsedHere = (): number => performance.now()

/** Milliseconds since the machine was started, its sleep included. Nobody sets this clock, and all programs have the same. */
export const sinceBoot = (): number => uptime() * 1000

/** The clock of the day for what is counted: what somebody sets is not seen before nothing is counted any more. */
export type DayClock = {
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Called when nothing is counted: from now on it is again as the system says. */
  follow: () => void
}

type Clocks = {
  /** The one that can be set. */
  day: () => number
  /** A clock that stands still while the machine sleeps. */
  elapsed: () => number
  /** The time since the machine booted, which also counts while it sleeps. */
  sinceBoot: () => number
}

/** Milliseconds by which the two clocks may differ. */
const JUMP = 1000

export function createDayClock({ day, elapsed, sinceBoot: booted }: Clocks): DayClock {
  let off = 0
  let last = { at: day(), ran: elapsed() }
  let asleep = booted() - last.ran
  return {
    now() {
      const [at, ran] = [day(), elapsed()]
      const jump = at - last.at - (ran - last.ran)
      last = { at, ran }
      if (Math.abs(jump) >= JUMP) note(jump, ran)
      return at - off
    },
    follow() {
      off = 0
    },
  }

  /** The time for which the machine slept has passed. */
  function note(jump: number, ran: number): void {
    const slept = booted() - ran - asleep
    asleep += slept
    if (Math.abs(jump - slept) >= JUMP) off += Math.round(jump - slept)
  }
}

/** The clock of this program. */
export const dayClock: DayClock = createDayClock({ day: () => Date.now(), elapsed: elapsedHere, sinceBoot })

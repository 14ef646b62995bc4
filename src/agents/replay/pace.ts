/** The clock of a replay: it can stand still, go faster or slower, and take one step. */

export type PaceTimers = {
  /** Milliseconds, from any start. */
  now: () => number
  /** Runs `run` once, after `ms` milliseconds; returns how to take that back. */
  after: (ms: number, run: () => void) => () => void
}

export type PaceOptions = {
  timers: PaceTimers
  /** When the recording began, in milliseconds since the Unix epoch. */
  startedAt: number
  /** 1 is as it was recorded, Infinity all at once. */
  speed: number
  paused: boolean
}

export type ReplayClock = {
  /** Resolves when it is time for what was recorded at `t` milliseconds. One caller at a time. */
  due: (t: number) => Promise<void>
  /** The time that it was then, in milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds of the recording that have passed. */
  position: () => number
  speed: () => number
  isPaused: () => boolean
  /** Goes on where it stood still, and stands still where it went. */
  toggle: () => void
  setSpeed: (speed: number) => void
  /** Stands still after what comes next. */
  step: () => void
  /** Goes at once to what was recorded at `t` milliseconds, and on from there as before. */
  skipTo: (t: number) => void
}

export function createPace({ timers, startedAt, ...first }: PaceOptions): ReplayClock {
  let { speed, paused } = first
  /** The position at a moment from which it has gone evenly. */
  let anchor = { position: 0, at: timers.now() }
  let waiting: { t: number; resolve: () => void } | null = null
  let cancel: (() => void) | null = null

  return {
    due,
    now: () => startedAt + position(),
    position,
    speed: () => speed,
    isPaused: () => paused,
    toggle: () => change(() => (paused = !paused)),
    setSpeed: next => change(() => (speed = next)),
    step: () =>
      change(() => {
        paused = true
        if (waiting) anchor.position = Math.max(anchor.position, waiting.t)
      }),
    skipTo: t => change(() => (anchor.position = Math.max(anchor.position, t))),
  }

  function position(): number {
    if (paused || speed === Infinity) return anchor.position
    const moved = anchor.position + (timers.now() - anchor.at) * speed
    // Nothing has happened yet behind what is waited for.
    return waiting ? Math.min(moved, waiting.t) : moved
  }

  function due(t: number): Promise<void> {
    return new Promise(resolve => {
      change(() => (waiting = { t, resolve }))
    })
  }

  function change(apply: () => void): void {
    anchor = { position: position(), at: timers.now() }
    apply()
    cancel?.()
    cancel = null
    if (!waiting) return
    if (!paused && speed === Infinity) anchor.position = Math.max(anchor.position, waiting.t)
    if (anchor.position >= waiting.t) return arrive()
    if (!paused) cancel = timers.after((waiting.t - anchor.position) / speed, () => change(arrived))
  }

  /** A timer counts whole milliseconds: it may ring a little early. */
  function arrived(): void {
    if (waiting) anchor.position = waiting.t
  }

  function arrive(): void {
    const { resolve } = waiting ?? {}
    waiting = null
    resolve?.()
  }
}

/** The clock of a replay. It can pause, change its speed and take single steps. */

export type ReplayTimers = {
  /** Milliseconds, from any start. */
  now: () => number
  /** Runs `run` once, after `ms` milliseconds. Returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
}

export type ReplayClockOptions = {
  timers: ReplayTimers
  /** 1 is the speed of the session, Infinity plays everything at once. */
  speed: number
  paused: boolean
}

export type ReplayClock = {
  /** Resolves when the moment at `t` milliseconds is due. One caller at a time. */
  due: (t: number) => Promise<void>
  /** Whether the moment at `t` milliseconds is due already. */
  isDue: (t: number) => boolean
  /** The position in the replay, in milliseconds. */
  position: () => number
  speed: () => number
  isPaused: () => boolean
  /** Pauses or resumes. */
  toggle: () => void
  setSpeed: (speed: number) => void
  /** Plays the next moment and pauses. */
  step: () => void
  /** Jumps to `t` milliseconds and continues from there as before. */
  skipTo: (t: number) => void
}

export function createReplayClock({ timers, ...first }: ReplayClockOptions): ReplayClock {
  let { speed, paused } = first
  /** The position at the last change of speed or pause. */
  let anchor = { position: 0, at: timers.now() }
  let waiting: { t: number; resolve: () => void } | null = null
  let cancel: (() => void) | null = null

  return {
    due,
    isDue: t => position() >= t || (!paused && speed === Infinity),
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
    // The position cannot pass a moment that was not played yet.
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

  /** Corrects the position: a timer counts whole milliseconds and may fire a little early. */
  function arrived(): void {
    if (waiting) anchor.position = waiting.t
  }

  function arrive(): void {
    const { resolve } = waiting ?? {}
    waiting = null
    resolve?.()
  }
}

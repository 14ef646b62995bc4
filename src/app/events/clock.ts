/** Moves elapsed times and the spinner while something is going on, and nothing at all when idle. */

/** Milliseconds between two ticks. */
const TICK = 120

export type ClockParts = {
  now: () => number
  /** The time that the screen shows. */
  shown: () => number
  /** True if something on the screen moves. */
  isMoving: () => boolean
  /** The time at which the screen changes next although nothing moves; null for never. */
  changesAt: () => number | null
  onTick: () => void
}

/** `follow` starts or stops the clock as needed. */
export function createClock(parts: ClockParts): { follow: () => void; stop: () => void } {
  const { now, shown, isMoving, changesAt, onTick } = parts
  let ticking: NodeJS.Timeout | undefined
  let waiting: NodeJS.Timeout | undefined
  return { follow, stop }

  function follow(): void {
    if (isMoving()) return start()
    stop()
    const at = changesAt()
    if (at !== null) waiting = setTimeout(tick, Math.max(0, at - now()))
  }

  /** Another change may follow. */
  function tick(): void {
    onTick()
    follow()
  }

  function start(): void {
    ticking ??= setInterval(() => {
      // Events of the agent move the clock as well: then no frame is drawn for the time alone.
      if (Math.abs(now() - shown()) >= TICK / 2) onTick()
    }, TICK)
  }

  function stop(): void {
    clearInterval(ticking)
    clearTimeout(waiting)
    ticking = undefined
  }
}

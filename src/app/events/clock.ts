/** Moves elapsed times and the spinner while something is going on, and nothing at all when idle. */

/** How often they move, in milliseconds. */
const TICK = 120

export type ClockParts = {
  now: () => number
  /** The time that the screen shows. */
  shown: () => number
  /** Whether something moves. */
  isMoving: () => boolean
  onTick: () => void
}

/** Returns a function that starts or stops the clock as needed, and one that stops it for good. */
export function createClock({ now, shown, isMoving, onTick }: ClockParts): { follow: () => void; stop: () => void } {
  let ticking: NodeJS.Timeout | undefined
  return { follow: () => (isMoving() ? start() : stop()), stop }

  function start(): void {
    ticking ??= setInterval(() => {
      // Events of the agent move the clock as well: then no frame is drawn for the time alone.
      if (now() - shown() >= TICK / 2) onTick()
    }, TICK)
  }

  function stop(): void {
    clearInterval(ticking)
    ticking = undefined
  }
}

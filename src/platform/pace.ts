/** Splits long work into short steps; between them keys are read and frames drawn. */
import { setImmediate } from 'node:timers/promises'

/** Milliseconds between frames: what arrives in between is drawn together. */
export const FRAME = 24

export type Pace = {
  /** Whether the step has taken long enough. Cheap. */
  isDue: () => boolean
  /** Yields to the event loop, and begins a new step. */
  rest: () => Promise<void>
}

/** Each step takes about `stretch` milliseconds. */
export function createPace(stretch: number): Pace {
  let started = performance.now()
  return {
    isDue: () => performance.now() - started >= stretch,
    async rest() {
      await setImmediate()
      started = performance.now()
    },
  }
}

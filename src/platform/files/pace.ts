/** Splits long work into short steps; between them keys are read and frames drawn. */

/** Milliseconds of work in one step. */
const STRETCH = 3

export type WalkPace = {
  /** Whether the step has taken long enough. Cheap. */
  isDue: () => boolean
  /** Lets everything else run, and begins a new step. */
  rest: () => Promise<void>
}

/** `clock` gives milliseconds from any start. */
export function createPace(clock: () => number = () => performance.now()): WalkPace {
  let started = clock()
  return {
    isDue: () => clock() - started >= STRETCH,
    async rest() {
      await new Promise(resolve => {
        setImmediate(resolve)
      })
      started = clock()
    },
  }
}

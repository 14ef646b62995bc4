/** Long work in short stretches: between them keys are read and frames drawn. */

/** Milliseconds of work in one stretch. */
const STRETCH = 3

export type WalkPace = {
  /** Whether the stretch has gone on for long enough. Cheap enough to ask for each file of a few. */
  isDue: () => boolean
  /** Lets everything else run; a new stretch begins. */
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

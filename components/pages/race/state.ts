/** What the page of a race remembers while it is open. */
import type { RaceView } from '../../../src/app/race/race-run.ts'
import type { ScrollMove } from '../scroll.ts'

export type RaceMove = ScrollMove | 'help' | 'leave'

/** The actions that do more than move. */
export type RaceWork = 'open' | 'diff' | 'pick' | 'discard' | 'stop' | 'check' | 'go' | 'reload'

export type RacePageState = {
  view: RaceView
  /** Milliseconds since the Unix epoch. */
  now: number
  /** The index of the chosen one. */
  selected: number
  /** The first row that is shown of what stands below the list. */
  top: number
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
}

export function initialRace(view: RaceView): RacePageState {
  return { view, now: 0, selected: 0, top: 0, help: null }
}

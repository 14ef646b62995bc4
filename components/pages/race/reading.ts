/** The page of a race for a state and a size. */
import type { AppState } from '../../../src/state/state.ts'
import { labelsOf } from '../../../src/race/labels.ts'
import type { ShownEntrant } from './entrant-words.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import type { RacePageState } from './state.ts'

export type RaceReading = {
  app: AppState
  view: RacePageState
  context: PageContext
  shown: readonly ShownEntrant[]
  /** The index of the chosen one. */
  selected: number
  /** Rows between the title and the line at the bottom. */
  body: number
  /** Rows for what stands below the list. */
  area: number
}

/** Rows above the list: the prompt, and a blank one. */
export const ABOVE = 2

export function createRaceReader(): PageReader<RacePageState, RaceReading> {
  return (state, app, context) => {
    const { view, now } = state
    const labels = labelsOf(view.race.entrants)
    const shown = view.race.entrants.map((entrant, at): ShownEntrant => ({
      entrant,
      label: labels[at] ?? '',
      live: view.live.get(at),
      isGoing: view.isGoing,
      now,
    }))
    const body = Math.max(1, context.size.rows - 2)
    const selected = Math.max(0, Math.min(state.selected, shown.length - 1))
    return { app, view: state, context, shown, selected, body, area: Math.max(0, body - ABOVE - shown.length - 1) }
  }
}

/** /race: those who run side by side: outcome, check, changes, time and cost. */
import type { RacePageRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { raceEffects } from './effects.ts'
import { raceKeys } from './keys.ts'
import { raceAfter } from './moves.ts'
import { createRaceReader, type RaceReading } from './reading.ts'
import { raceRows } from './rows.ts'
import { tellRace } from './spoken.ts'
import { initialRace, type RaceMove, type RacePageState, type RaceWork } from './state.ts'

export const race: Page<RacePageState, RaceMove, RaceWork, RaceReading, RacePageRequest> = {
  keys: raceKeys,
  initial: ({ run }) => initialRace(run.view()),
  reader: createRaceReader,
  after: raceAfter,
  rows: raceRows,
  effects: raceEffects,
  spoken: tellRace,
  load: async () => (await import('./RacePage.tsx')).RacePage,
}

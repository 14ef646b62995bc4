import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { RaceReading } from './reading.ts'
import { raceBody, raceBottom, raceTitle } from './rows.ts'

type Props = { reading: Store<RaceReading> }

/** Those who run, one a row, and what the chosen one has done. */
export function RacePage({ reading }: Props): ReactNode {
  const title = useSlice(reading, raceTitle)
  const body = useSlice(reading, raceBody)
  const bottom = useSlice(reading, raceBottom)
  return <PageFrame title={title} body={body} bottom={bottom} />
}

import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { FindReading } from './reading.ts'
import { findBody, findBottom, findTitle } from './rows.ts'

type Props = { reading: Store<FindReading> }

/** What is typed, the passages that were found, and a status line at the bottom. */
export function FindPage({ reading }: Props): ReactNode {
  return (
    <PageFrame
      title={useSlice(reading, findTitle)}
      body={useSlice(reading, findBody)}
      bottom={useSlice(reading, findBottom)}
    />
  )
}

import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { TranscriptReading } from './reading.ts'
import { transcriptBody, transcriptBottom } from './rows.ts'

type Props = { reading: Store<TranscriptReading> }

/** The conversation, the list of its turns, or the keys, with a status line at the bottom. */
export function TranscriptPage({ reading }: Props): ReactNode {
  return <PageFrame body={useSlice(reading, transcriptBody)} bottom={useSlice(reading, transcriptBottom)} />
}

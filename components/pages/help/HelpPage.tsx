import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import { helpBody, helpBottom, type HelpReading } from './rows.ts'

type Props = { reading: Store<HelpReading> }

/** The keys and commands, or a text, with the keys for scrolling at the bottom. */
export function HelpPage({ reading }: Props): ReactNode {
  return <PageFrame body={useSlice(reading, helpBody)} bottom={useSlice(reading, helpBottom)} />
}

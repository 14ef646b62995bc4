import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { UsageReading } from './reading.ts'
import { usageBody, usageBottom, usageTitle } from './rows.ts'

type Props = { reading: Store<UsageReading> }

/** The plots with the figures of this session, or the keys. */
export function UsagePage({ reading }: Props): ReactNode {
  const title = useSlice(reading, usageTitle)
  const body = useSlice(reading, usageBody)
  const bottom = useSlice(reading, usageBottom)
  return <PageFrame title={title} body={body} bottom={bottom} />
}

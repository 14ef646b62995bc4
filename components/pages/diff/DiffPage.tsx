import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { DiffReading } from './reading.ts'
import { diffBody, diffBottom, diffTitle } from './rows.ts'

type Props = { reading: Store<DiffReading> }

/** The changed files, the diff of one, or the keys. */
export function DiffPage({ reading }: Props): ReactNode {
  const title = useSlice(reading, diffTitle)
  const body = useSlice(reading, diffBody)
  const bottom = useSlice(reading, diffBottom)
  return <PageFrame title={title} body={body} bottom={bottom} />
}

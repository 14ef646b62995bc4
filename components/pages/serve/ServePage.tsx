import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { ServeReading } from './reading.ts'
import { serveBody, serveBottom, serveTitle } from './rows.ts'

type Props = { reading: Store<ServeReading> }

/** The code for a device, and the list beside it. */
export function ServePage({ reading }: Props): ReactNode {
  const title = useSlice(reading, serveTitle)
  const body = useSlice(reading, serveBody)
  const bottom = useSlice(reading, serveBottom)
  return <PageFrame title={title} body={body} bottom={bottom} />
}

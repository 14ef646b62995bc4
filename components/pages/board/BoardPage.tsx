import type { ReactNode } from 'react'
import type { Store } from '../../../src/state/store.ts'
import { PageFrame } from '../PageFrame.tsx'
import { useSlice } from '../use-slice.ts'
import type { BoardReading } from './reading.ts'
import { boardBody, boardBottom, boardTitle } from './rows.ts'

type Props = { reading: Store<BoardReading> }

/** All conversations, and what the selected one asks. */
export function BoardPage({ reading }: Props): ReactNode {
  const title = useSlice(reading, boardTitle)
  const body = useSlice(reading, boardBody)
  const bottom = useSlice(reading, boardBottom)
  return <PageFrame title={title} body={body} bottom={bottom} />
}

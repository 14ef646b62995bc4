import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** The rows of the draft around the caret, or the title of the open list. */
export const Composer = memo(function Composer({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

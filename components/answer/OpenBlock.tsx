import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** The part of a growing text that is not in the scrollback yet. */
export const OpenBlock = memo(function OpenBlock({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

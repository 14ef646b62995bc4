import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** Text that is being written, as far as it has not gone to the scrollback. */
export const OpenBlock = memo(function OpenBlock({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { rows: readonly Styled[] }

/** The rows of an open list, with its keys. The composer shows its title. */
export const Picker = memo(function Picker({ rows }: Props): ReactNode {
  return <Rows rows={rows} />
})

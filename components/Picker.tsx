import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'

type Props = { rows: readonly Styled[] }

/** What there is to choose from in a list that has the keyboard, with its keys. Its title stands in the composer's place. */
export const Picker = memo(function Picker({ rows }: Props): ReactNode {
  return <Rows rows={rows} />
})

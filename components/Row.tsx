import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'

type Props = { text: Styled }

/** One finished row of the screen. */
export const Row = memo(function Row({ text }: Props): ReactNode {
  return <Rows rows={[text]} />
})

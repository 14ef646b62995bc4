import type { ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'

type Props = { text: Styled }

/** One finished row of the screen. */
export function Row({ text }: Props): ReactNode {
  return <Rows rows={[text]} />
}

import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'

type Props = { text: Styled }

/** The agent's activity or the user's own command, and the key that stops it. */
export const WorkingLine = memo(function WorkingLine({ text }: Props): ReactNode {
  return <Row text={text} />
})

import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Row } from './Row.tsx'

type Props = { text: Styled }

/** What the agent does, or the person's own command, and what stops it. */
export const WorkingLine = memo(function WorkingLine({ text }: Props): ReactNode {
  return <Row text={text} />
})

import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'

type Props = { text: Styled }

/** The model, the usage and the folder, or a hint. */
export const StatusLine = memo(function StatusLine({ text }: Props): ReactNode {
  return <Row text={text} />
})

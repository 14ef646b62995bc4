import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'

type Props = { text: Styled }

/** The line about another conversation that asks something or has ended. */
export const ConversationNews = memo(function ConversationNews({ text }: Props): ReactNode {
  return <Row text={text} />
})

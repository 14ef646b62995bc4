import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'

type Props = { text: Styled }

/** The prompts that wait for the agent. */
export const PromptQueue = memo(function PromptQueue({ text }: Props): ReactNode {
  return <Row text={text} />
})

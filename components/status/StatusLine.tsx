import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'

type Props = {
  text: Styled
  /** The line of the user's own command; null without one. */
  custom: Styled | null
}

/** The model, the usage and the folder, or a hint. */
export const StatusLine = memo(function StatusLine({ text, custom }: Props): ReactNode {
  return (
    <>
      <Row text={text} />
      {custom !== null && <Row text={custom} />}
    </>
  )
})

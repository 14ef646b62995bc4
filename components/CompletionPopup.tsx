import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'

type Props = { rows: readonly Styled[] }

/** What can complete the word at the caret, and which of it is chosen. */
export const CompletionPopup = memo(function CompletionPopup({ rows }: Props): ReactNode {
  return <Rows rows={rows} />
})

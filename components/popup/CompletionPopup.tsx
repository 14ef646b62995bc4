import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { rows: readonly Styled[] }

/** The completions of the word at the caret; one is selected. */
export const CompletionPopup = memo(function CompletionPopup({ rows }: Props): ReactNode {
  return <Rows rows={rows} />
})

import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** The agent's question in the place of the composer: its title, the whole call, and its dangers. */
export const PermissionPrompt = memo(function PermissionPrompt({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

/** The answers to the question, in the place of the status line. */
export const Answers = memo(function Answers({ rows }: Pick<Props, 'rows'>): ReactNode {
  return <Rows rows={rows} />
})

import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** What the agent asks, in the place of the composer: its title, what will run in full, and what to mind. */
export const PermissionPrompt = memo(function PermissionPrompt({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

/** The answers to it, in the place of the status line. */
export const Answers = memo(function Answers({ rows }: Pick<Props, 'rows'>): ReactNode {
  return <Rows rows={rows} />
})

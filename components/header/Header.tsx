import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** The program, the agent, the folder and the main keys, while the agent starts. */
export const Header = memo(function Header({ gap, rows }: Props): ReactNode {
  return <Rows gap={gap} rows={rows} />
})

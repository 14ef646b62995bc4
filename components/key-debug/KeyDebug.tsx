import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Styled } from '../../src/style/styled.ts'
import { Row } from '../Row.tsx'
import { Rows } from '../Rows.tsx'

type Props = { title: Styled; rows: readonly Styled[] }

/** The last keys, the bytes of each, and its action. */
export const KeyDebug = memo(function KeyDebug({ title, rows }: Props): ReactNode {
  return (
    <Box flexDirection="column">
      <Row text={title} />
      <Rows rows={rows} />
    </Box>
  )
})

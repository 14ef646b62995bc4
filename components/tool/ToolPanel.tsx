import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import { empty, type Styled } from '../../src/style/styled.ts'
import { Rows } from '../Rows.tsx'
import { Row } from '../Row.tsx'

type Props = { gap: boolean; rows: readonly Styled[] }

/** A running call: its title with the elapsed time, and its output below. */
export const ToolPanel = memo(function ToolPanel({ gap, rows: [title = empty, ...body] }: Props): ReactNode {
  return (
    <Box flexDirection="column" marginTop={gap ? 1 : 0}>
      <Row text={title} />
      <Rows rows={body} />
    </Box>
  )
})

import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Styled } from '../../../src/style/styled.ts'
import { Rows } from '../../Rows.tsx'
import { Row } from '../../Row.tsx'

type Props = { body: readonly Styled[]; bottom: Styled }

/** The whole conversation on the alternate screen, with a status line at the bottom. */
export const TranscriptViewer = memo(function TranscriptViewer({ body, bottom }: Props): ReactNode {
  return (
    <Box flexDirection="column">
      <Rows rows={body} />
      <Row text={bottom} />
    </Box>
  )
})

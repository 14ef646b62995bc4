import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Styled } from '../../../src/style/styled.ts'
import { Rows } from '../../Rows.tsx'
import { Row } from '../../Row.tsx'

type Props = { title: Styled; body: readonly Styled[]; bottom: Styled }

/** The changed files on the alternate screen, or the diff of one. */
export const DiffViewer = memo(function DiffViewer({ title, body, bottom }: Props): ReactNode {
  return (
    <Box flexDirection="column">
      <Row text={title} />
      <Rows rows={body} />
      <Row text={bottom} />
    </Box>
  )
})

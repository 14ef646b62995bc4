import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'
import { Rows } from './Rows.tsx'
import { Row } from './Row.tsx'

type Props = { title: Styled; body: readonly Styled[]; bottom: Styled }

/** What was changed, on the alternate screen: the list of files, or one of them. */
export const DiffViewer = memo(function DiffViewer({ title, body, bottom }: Props): ReactNode {
  return (
    <Box flexDirection="column">
      <Row text={title} />
      <Rows rows={body} />
      <Row text={bottom} />
    </Box>
  )
})

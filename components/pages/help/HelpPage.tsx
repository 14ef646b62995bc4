import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import type { Styled } from '../../../src/style/styled.ts'
import { Rows } from '../../Rows.tsx'
import { Row } from '../../Row.tsx'

type Props = { body: readonly Styled[]; bottom: Styled }

/** The keys and commands on the alternate screen, with the keys for scrolling at the bottom. */
export const HelpViewer = memo(function HelpViewer({ body, bottom }: Props): ReactNode {
  return (
    <Box flexDirection="column">
      <Rows rows={body} />
      <Row text={bottom} />
    </Box>
  )
})

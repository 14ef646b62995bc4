import { Box } from 'ink'
import { memo, type ReactNode } from 'react'
import { Row } from '../Row.tsx'
import { Rows } from '../Rows.tsx'
import type { PageRows } from './page-rows.ts'

/** A page on the alternate screen: a title if it has one, its content, and a status line at the bottom. */
export const PageFrame = memo(function PageFrame({ title, body, bottom }: PageRows): ReactNode {
  return (
    <Box flexDirection="column">
      {title !== undefined && <Row text={title} />}
      <Rows rows={body} />
      <Row text={bottom} />
    </Box>
  )
})

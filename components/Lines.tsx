import { Text } from 'ink'
import type { ReactNode } from 'react'
import type { Styled } from '../src/view/styled.ts'

type Props = { lines: readonly Styled[] }

/** Lines that are styled and cut to the width already. */
export function Lines({ lines }: Props): ReactNode {
  // Ink gives an empty text no height.
  return lines.map((line, index) => (
    <Text key={index} wrap="truncate">
      {line === '' ? ' ' : line}
    </Text>
  ))
}

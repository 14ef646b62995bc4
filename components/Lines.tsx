import { Text } from 'ink'
import { createElement, Fragment, type ReactNode } from 'react'
import type { Styled } from '../src/view/styled.ts'

type Props = { lines: readonly Styled[] }

/** Lines that are styled and cut to the width already. A line is its place: spread as children they need no keys. */
export function Lines({ lines }: Props): ReactNode {
  return createElement(Fragment, null, ...lines.map(lineOf))
}

function lineOf(line: Styled): ReactNode {
  // Ink gives an empty text no height.
  return <Text wrap="truncate">{line === '' ? ' ' : line}</Text>
}

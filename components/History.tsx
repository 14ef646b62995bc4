import { Static, Text } from 'ink'
import { memo, useLayoutEffect, type ReactNode } from 'react'
import type { Committed } from '../src/view/screen.ts'

type Props = {
  /** Grows at its end only; a new list whenever it did. */
  committed: readonly Committed[]
  /** Called when the first `count` have been handed to the terminal. */
  onPrinted: (count: number) => void
}

/**
 * What is finished: printed once, above the live zone, and then left to the terminal's scrollback. Memoised, because each
 * other render of `<Static>` would bypass Ink's frame clock.
 */
export const History = memo(function History({ committed, onPrinted }: Props): ReactNode {
  useLayoutEffect(() => onPrinted(committed.length), [committed, onPrinted])
  return (
    <Static items={[...committed]}>
      {piece => (
        <Text key={piece.id} wrap="hard">
          {piece.text === '' ? ' ' : piece.text}
        </Text>
      )}
    </Static>
  )
})

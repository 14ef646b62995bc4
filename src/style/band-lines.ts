import { sanitize } from '../text/sanitize.ts'
import { drawn, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'

/** The user's prompt or command, after a mark and on a band. */
export function bandLines(lines: readonly Styled[], theme: Theme, width: number): Styled[] {
  const { prompt, promptRest } = theme.signs
  return lines.map((line, index) => {
    const mark = theme.accent(sanitize(index === 0 ? prompt : promptRest))
    return theme.promptBand(drawn`${mark} ${line}`, width)
  })
}

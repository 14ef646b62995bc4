/** Rows about a call that needs permission: its dangers, and the other calls that wait. */
import type { CallContent } from '../../src/state/question.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { oneLine, sanitizeExact } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { wrap } from '../../src/text/lines/wrap.ts'

/** Shown for a change that leaves the content as it is. */
export const NOTHING_CHANGES = 'Same content, nothing to show.'

/** A warning with its sign, on as many rows as it needs. */
export function warningLines(words: string, theme: Theme, columns: number): Styled[] {
  return wrap(oneLine(sanitizeExact(words)), Math.max(2, columns - 6)).map(
    (line, index) => drawn`  ${theme.warning(index === 0 ? drawn`! ${line}` : drawn`  ${line}`)}`,
  )
}

/** The other questions that wait, on one line; null for none. */
export function otherLine({ others }: CallContent, theme: Theme, columns: number): Styled | null {
  if (others.length === 0) return null
  const words = oneLine(sanitizeExact(`then: ${others.join('; ')}`), theme.signs.newline)
  return theme.dim(drawn`    ${truncate(words, Math.max(1, columns - 4), theme.signs.ellipsis)}`)
}

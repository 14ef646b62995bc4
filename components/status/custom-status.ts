/** The line below the status line, which a command of the user prints. */
import type { AppState } from '../../src/state/state.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { empty, indented, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { printedLines } from '../../src/tools/panel/output.ts'

/** One row, which is blank before the command has printed something; null without such a command. */
export function customStatusLine(
  { customStatus }: Pick<AppState, 'customStatus'>,
  theme: Theme,
  width: number,
): Styled | null {
  if (!customStatus) return null
  const { text, problem } = customStatus
  const room = Math.max(1, width - 2)
  if (problem !== null) return indented(2, truncate(theme.warning(oneLine(sanitize(`statusLine ${problem}`))), room))
  const [first = empty] = printedLines(text.replaceAll('\t', ' '), theme, theme.dim)
  if (first.width === 0) return empty
  return indented(2, truncate(first.isPlain ? theme.dim(first) : first, room, theme.signs.ellipsis))
}

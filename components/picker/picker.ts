/** The open list: its title with the typed filter, in the composer's place. */
import type { Picker } from '../../src/state/pickers/picker.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { PROMPT_WIDTH } from '../composer/rows.ts'
import { specOf } from './table.ts'

/** The title of a list, and the text that its rows must match. */
export function pickerTitle(picker: Picker): { title: SafeText; filter: SafeText } {
  const { title, shownFilter } = specOf(picker)
  return {
    title: oneLine(sanitize(title(picker))),
    filter: oneLine(sanitize(shownFilter?.(picker) ?? picker.filter)),
  }
}

/** The title and filter in the composer's place, and the column of the caret. */
export function titleLine(
  picker: Picker,
  { theme, columns }: { theme: Theme; columns: number },
): { line: Styled; column: number } {
  const { ellipsis, prompt } = theme.signs
  const words = pickerTitle(picker)
  const title = truncate(words.title, Math.max(1, columns - 5), ellipsis)
  const before = PROMPT_WIDTH + displayWidth(title) + 2
  const filter = truncate(words.filter, Math.max(1, columns - before - 1), ellipsis)
  const line = drawn`${theme.accent(sanitize(prompt))} ${theme.strong(title)}  ${filter}`
  return { line: theme.promptBand(line, columns), column: before + displayWidth(filter) }
}

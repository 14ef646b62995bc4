/** The open picker: its title with the typed filter, and its list. */
import type { Picker } from '../../src/state/pickers/picker.ts'
import { shownFilter } from '../../src/state/pickers/picker-rows.ts'
import type { AppState } from '../../src/state/state.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { PROMPT_WIDTH } from '../composer/rows.ts'
import { answerList } from './answers.ts'
import { conversationList } from './conversations.ts'
import type { RowList } from './list.ts'
import { modelList } from './models.ts'
import { promptList } from './prompts.ts'
import { sessionList } from './sessions.ts'

/** The title of a picker, and the text that its rows must match. */
export function pickerTitle(picker: Picker): { title: SafeText; filter: SafeText } {
  return { title: oneLine(sanitize(titleOf(picker))), filter: oneLine(sanitize(shownFilter(picker))) }
}

function titleOf(picker: Picker): string {
  if (picker.kind === 'models') return picker.elsewhere ? 'model of another provider' : 'model'
  if (picker.kind === 'choice') return picker.title
  if (picker.kind === 'conversations') return 'conversations'
  const what = picker.kind === 'sessions' ? 'sessions' : 'history'
  return picker.scope === 'folder' ? what : `${what} of all folders`
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
  return { line, column: before + displayWidth(filter) }
}

export function pickerList(picker: Picker, state: AppState, theme: Theme): RowList {
  switch (picker.kind) {
    case 'models':
      return modelList(picker, state, theme)
    case 'history':
      return promptList(picker, state.keyNames, theme)
    case 'choice':
      return answerList(picker, state.keyNames, theme)
    case 'sessions':
      return sessionList(picker, state, theme)
    case 'conversations':
      return conversationList(picker, state, theme)
  }
}

/** The rows of the first screen. */
import { nextSuggestion, visibleWelcome } from '../../src/state/welcome.ts'
import type { AppState, Welcome } from '../../src/state/state.ts'
import { drawn, fitted, indented, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { type Panel, rowsOnly } from '../regions.ts'

/** It is left out as a whole: half of it helps nobody. */
export const welcome: Panel = {
  name: 'welcome',
  draw({ state, theme, columns }, _room, left) {
    const shown = visibleWelcome(state)
    const rows = shown ? welcomeLines(shown, state, theme, columns) : []
    return 1 + rows.length <= left ? rowsOnly(rows, true) : null
  },
}

/** Columns before the rows, and between a prompt and what comes of it. */
const INDENT = 2
const GAP = 3
/** Columns of a description that is worth its room. */
const LEAST_ABOUT = 12

/** The greeting, and a row for each suggestion. Where a row is too narrow for both, the description is left out. */
function welcomeLines(
  { greeting: greets, suggestions }: Welcome,
  state: AppState,
  theme: Theme,
  columns: number,
): Styled[] {
  const width = Math.max(2, columns - INDENT)
  const greeting = wrap(oneLine(sanitize(greets)), width).map(line => indented(INDENT, line))
  const takes =
    nextSuggestion(state) === null ? 'Try:' : keyed(state.keyNames, 'Try ({composer.queue_or_complete} writes it):')
  const rows = suggestions.map(({ prompt, about }) => ({
    prompt: oneLine(sanitize(prompt)),
    about: oneLine(sanitize(about)),
  }))
  const short = rows.filter(({ about }) => about !== '').map(({ prompt }) => displayWidth(prompt))
  const widest = Math.max(0, ...short.filter(each => each + GAP + LEAST_ABOUT <= width - INDENT))
  const lines = rows.map(({ prompt, about }) => {
    const hasRoom = about !== '' && displayWidth(prompt) <= widest
    const padded = hasRoom ? padTo(prompt, widest + GAP) : prompt
    return indented(INDENT * 2, drawn`${theme.accent(padded)}${hasRoom ? theme.dim(about) : sanitize('')}`)
  })
  return fitted([...greeting, indented(INDENT, theme.dim(sanitize(takes))), ...lines], columns, theme.signs.ellipsis)
}

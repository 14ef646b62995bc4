/**
 * The screen of the first frame: the header, the empty composer and the status line, with the functions that draw them later.
 * It needs nothing that draws a conversation, and passes everything on once the whole screen is loaded.
 */
import type { AppState } from '../../src/state/state.ts'
import { empty, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { composer } from '../composer/rows.ts'
import { header } from '../header/rows.ts'
import { caretIn, type ScreenLayout, layOut } from '../regions.ts'
import { drawStatus } from '../status/rows.ts'
import type { Screen } from './screen.ts'

export type FirstScreen = Screen & {
  /** From now on the whole screen draws. It gets the theme and the texts that came before. */
  handOver: (whole: Screen) => void
}

export function createFirstScreen(first: Theme): FirstScreen {
  let theme = first
  let isThemeSet = false
  let whole: Screen | null = null
  const waiting: string[] = []
  return {
    setTheme(next) {
      theme = next
      isThemeSet = true
      whole?.setTheme(next)
    },
    draw: (state, size) =>
      whole?.draw(state, size) ?? { committed: [], live: layOut(layout, { state, theme, ...size }), more: false },
    print(text) {
      if (whole) whole.print(text)
      else waiting.push(text)
    },
    printed: count => whole?.printed(count),
    lastScreenful: (size, all, reflow) => whole?.lastScreenful(size, all, reflow) ?? [],
    rowsAboveCaret(live, now, reflow) {
      if (whole) return whole.rowsAboveCaret(live, now, reflow)
      const { rows, most } = caretIn(live, now)
      return rows > most ? null : rows
    },
    handOver(screen) {
      whole = screen
      if (isThemeSet) screen.setTheme(theme)
      for (const text of waiting.splice(0)) screen.print(text)
    },
  }
}

/** The user's own line is blank before its command has printed something. */
const blankStatus = ({ customStatus }: Pick<AppState, 'customStatus'>): Styled | null => customStatus && empty

/** All that a state shows in which nothing has been typed, asked or answered. */
const layout: ScreenLayout = {
  conversation: [header],
  progress: () => [],
  input: [composer],
  below: [
    {
      name: 'status',
      draw: ({ state, ...frame }) =>
        drawStatus(state, frame, { custom: blankStatus, plan: () => null, watchers: () => null }),
    },
  ],
}

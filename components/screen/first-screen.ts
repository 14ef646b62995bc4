/**
 * The screen of the first frame: the header, the empty composer and the status line, with the functions that draw them later.
 * It needs nothing that draws a conversation, and passes everything on once the whole screen is loaded.
 */
import type { AppState } from '../../src/state/state.ts'
import { empty } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { composerBox } from '../composer/rows.ts'
import type { Screen } from './screen.ts'
import { headerLines } from '../header/rows.ts'
import { statusLine, withCustom } from '../status/rows.ts'
import {
  caretIn,
  emptyZone,
  fitToRoom,
  headerPieces,
  layOutZone,
  type LiveZone,
  mostComposerRows,
} from './zone-layout.ts'

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
      whole?.draw(state, size) ?? { committed: [], live: firstZone(state, { theme, ...size }), more: false },
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
    handOver(given) {
      whole = given
      if (isThemeSet) given.setTheme(theme)
      for (const text of waiting.splice(0)) given.print(text)
    },
  }
}

/** The live zone of a state in which nothing has been typed, asked or answered. */
function firstZone(state: AppState, context: Size & { theme: Theme }): LiveZone {
  const { theme, columns, rows } = context
  const box = composerBox(state, context, mostComposerRows(rows))
  const text = statusLine(state, theme, columns)
  const below = { kind: 'status', ...withCustom(state, text, state.customStatus && empty) } as const
  const header = headerPieces(headerLines(state, theme, columns))
  return layOutZone(
    { box, isQuestion: false, below },
    context,
    () => emptyZone.working,
    room => fitToRoom(header, room, 0, context),
  )
}

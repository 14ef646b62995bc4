import { keyRows } from '../../src/app/context/texts.ts'
import type { Keymap } from '../../src/state/keymap.ts'
import type { AppState } from '../../src/state/state.ts'
import type { Store } from '../../src/state/store.ts'
import type { TerminalOutput } from '../../src/terminal/output.ts'
import { viewerPage } from '../../src/viewer/page.ts'
import type { ReadCall } from '../../src/viewer/output-loader.ts'
import { Reader } from '../../src/viewer/reader.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { AlternateScreen, Shown } from './alternate-screen.ts'
import type { Viewer } from '../../src/state/viewer-screen.ts'

export type ViewerScreenOptions = {
  store: Store<AppState>
  screen: AlternateScreen
  /** The terminal's size. */
  size: Pick<TerminalOutput, 'columns' | 'rows'>
  theme: () => Theme
  keymap: Keymap
  print: (text: string) => void
  /** Reads back what of a call is not in memory. */
  readCall: ReadCall
}

/** The conversation on the alternate screen. */
export function createViewerScreen({
  store,
  screen,
  size,
  theme,
  keymap,
  print,
  readCall,
}: ViewerScreenOptions): Viewer {
  const keys = keyRows(keymap.bindings.filter(({ context }) => context === 'viewer'))
  let reader: Reader | null = null

  return {
    open() {
      const reading = (reader = new Reader(theme(), size, readCall))
      reading.open(store.get(), theme(), size)
      screen.show(shownOf(reading))
    },
    close() {
      // What was drawn and read of a long conversation is much.
      reader = null
      screen.leave()
    },
    perform(move) {
      reader?.perform(move)
      screen.draw()
    },
    type(text) {
      const isTaken = reader?.type(text) ?? false
      if (isTaken) screen.draw()
      return isTaken
    },
    isBusy: () => reader?.overlay !== null || reader.search !== null,
    source: () => reader?.source() ?? null,
    answer: () => reader?.answer() ?? null,
    file: () => reader?.file() ?? null,
    print,
  }

  function shownOf(reading: Reader): Shown {
    return {
      page(state, seen) {
        reading.update(state, theme(), seen)
        return { kind: 'conversation', page: viewerPage(reading, state, { theme: theme(), size: seen, keys }) }
      },
      work() {
        const wasSeeking = reading.isSeeking
        const more = reading.work()
        if (wasSeeking && !reading.isSeeking) screen.draw()
        return more
      },
      mouse(event) {
        if (event.kind === 'wheel') reading.wheel(event.by)
        else reading.click(event.y)
        screen.draw()
      },
    }
  }
}

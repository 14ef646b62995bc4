import type { DiffScreen, DiffView } from '../../../src/state/screens/diff-screen.ts'
import type { Keymap } from '../../../src/state/keymap.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import { helpKeyRows } from '../../../src/state/help.ts'
import {
  createDiffRows,
  diffAfter,
  diffAfterClick,
  diffAfterWheel,
  readDiff,
  shownLine,
  type DiffReading,
} from './reading.ts'
import { diffPage, fileAtRow } from './rows.ts'
import type { Size } from '../../../src/text/lines/width.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { AlternateScreen, PageSource } from '../alternate-screen.ts'

export type DiffScreenOptions = {
  store: AppStore
  screen: AlternateScreen
  /** The terminal's size. */
  size: Readonly<Size>
  theme: () => Theme
  keymap: Keymap
}

/** The changed files on the alternate screen. */
export function createDiffScreen({ store, screen, size, theme, keymap }: DiffScreenOptions): DiffScreen {
  const keys = helpKeyRows(keymap.bindings.filter(({ context }) => context === 'diff'))
  const makeRows = createDiffRows()
  const read = (state = store.get(), seen = size): DiffReading =>
    readDiff(state, { theme: theme(), size: seen, keys }, makeRows)
  const move = (diff: DiffView): void => store.dispatch({ type: 'diff_moved', diff })
  const shown: PageSource = {
    page: (state, seen) => ({ kind: 'changes', page: diffPage(read(state, seen), state) }),
    work: () => false,
    mouse(event) {
      const reading = read()
      if (event.kind === 'wheel') return move(diffAfterWheel(reading, event.by))
      const index = reading.shown || reading.view.help !== null ? null : fileAtRow(reading, event.y)
      if (index !== null) move(diffAfterClick(reading, index))
    },
  }
  return {
    open: () => screen.show(shown),
    close: screen.leave,
    perform: how => move(diffAfter(read(), how)),
    line: () => shownLine(read()),
  }
}

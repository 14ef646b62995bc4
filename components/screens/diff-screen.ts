import type { DiffScreen } from '../../src/state/diff-screen.ts'
import type { Keymap } from '../../src/state/keymap.ts'
import { keyRows } from '../../src/app/context/texts.ts'
import { DiffReader } from '../../src/diff/reader.ts'
import { diffPage, fileAtRow } from '../../src/diff/page.ts'
import type { PageContext } from '../../src/viewer/page.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { AlternateScreen, Shown } from './alternate-screen.ts'

export type DiffScreenOptions = {
  screen: AlternateScreen
  theme: () => Theme
  keymap: Keymap
}

/** What was changed, on the alternate screen. */
export function createDiffScreen({ screen, theme, keymap }: DiffScreenOptions): DiffScreen {
  const keys = keyRows(keymap.bindings.filter(({ context }) => context === 'diff'))
  const reader = new DiffReader()
  let seen: PageContext | null = null
  const shown: Shown = {
    page(state, size) {
      seen = { theme: theme(), size, keys }
      reader.update(state.changes, theme(), size)
      return { kind: 'changes', page: diffPage(reader, state, seen) }
    },
    work: () => false,
    mouse(event) {
      if (event.kind === 'wheel') reader.wheel(event.by)
      else if (seen && !reader.shown && reader.help === null) {
        const index = fileAtRow(reader, seen, event.y)
        if (index !== null) reader.choose(index)
      }
      screen.draw()
    },
  }
  return {
    open() {
      reader.open()
      screen.show(shown)
    },
    close: screen.leave,
    perform(move) {
      reader.perform(move)
      screen.draw()
    },
    isBusy: () => reader.help !== null || reader.shown !== null,
    shown: () => reader.shown,
    place: () => (reader.chosen ? { change: reader.chosen, line: reader.line() } : null),
  }
}

import type { Screen } from './screen.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { TerminalInput } from '../../src/terminal/input/input.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import { holding } from './holding.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import { handOn, type Keyboard } from '../keyboard.ts'
import type { Mounted } from './mount.ts'
import { createScreenReaderOutput } from './screen-reader-output.ts'

export type SpokenOptions = {
  store: AppStore
  keyboard: Keyboard
  commands: () => readonly SlashCommand[]
  screen: Screen
  input: TerminalInput
  output: TerminalOutput
  theme: () => Theme
}

/** Mounts the program for a screen reader: it only appends text. */
export function mountForScreenReader({
  store,
  keyboard,
  commands,
  screen,
  input,
  output,
  theme,
}: SpokenOptions): Mounted {
  const spoken = createScreenReaderOutput({ store, screen, output, commands, theme })
  const unsubscribe = input.subscribe(key => handOn(key, keyboard))
  output.onReady = spoken.show
  spoken.show()
  return {
    redraw: spoken.repeat,
    show: spoken.show,
    backFromAlternate: spoken.show,
    async suspend(run) {
      spoken.show()
      output.append('\n')
      await holding(output, run, () => {
        spoken.show()
        spoken.repeat()
      })
    },
    async unmount() {
      await output.lastTaken()
      spoken.show()
      output.append('\n')
      unsubscribe()
    },
  }
}

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
  const teller = createScreenReaderOutput({ store, screen, output, commands, theme })
  const stopHearing = input.subscribe(key => handOn(key, keyboard))
  output.onReady = teller.show
  teller.show()
  return {
    redraw: teller.repeat,
    show: teller.show,
    backFromAlternate: teller.show,
    async suspend(run) {
      teller.show()
      output.append('\n')
      await holding(output, run, () => {
        teller.show()
        teller.repeat()
      })
    },
    async unmount() {
      await output.lastTaken()
      teller.show()
      output.append('\n')
      stopHearing()
    },
  }
}

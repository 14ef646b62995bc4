import type { Controller } from '../src/app/controller.ts'
import type { AppState } from '../src/state/state.ts'
import type { Store } from '../src/state/store.ts'
import type { TerminalInput } from '../src/terminal/input/input.ts'
import type { TerminalOutput } from '../src/terminal/output/output.ts'
import type { Screen } from '../src/rows/screen.ts'
import type { Theme } from '../src/style/theme.ts'
import { App, viewOf, type View } from './App.tsx'
import { createCanvas } from './canvas.tsx'
import { handOn } from './KeyboardInput.tsx'
import { createLiveScreen, type LiveScreenImages } from './screens/live-screen.ts'
import { createScreenReaderOutput } from './screens/screen-reader-output.ts'
import type { AlternateScreen } from './screens/alternate-screen.ts'

export type Mounted = {
  /** Shows the main screen again, after the alternate one. */
  backFromAlternate(): void
  /** Draws changes that are not in the program's state. */
  show(): void
  /** Redraws the screen. The scrollback stays. */
  redraw(): void
  /**
   * Removes the live zone while `run` has the terminal, then draws the latest state. Only one call at a time. Rejects with
   * the error of `run`, after the screen is back.
   */
  suspend(run: () => Promise<void>): Promise<void>
  /** Draws the last state and ends. Resolves when no input is read any more. */
  unmount(): Promise<void>
}

export type MountOptions = {
  store: Store<AppState>
  controller: Controller
  screen: Screen
  input: TerminalInput
  output: TerminalOutput
  /** Null if the terminal cannot draw images. */
  images?: LiveScreenImages | null
  /** Whether to mark prompts for the terminal (OSC 133). */
  marksPrompts?: () => boolean
  /** The alternate screen. */
  second: Pick<AlternateScreen, 'isOpen' | 'pause' | 'resume' | 'redraw' | 'draw' | 'onPage'>
}

/** Mounts the program for a screen reader: it only appends text. */
export function mountForScreenReader({
  store,
  controller,
  screen,
  input,
  output,
  theme,
}: Omit<MountOptions, 'second'> & { theme: () => Theme }): Mounted {
  const teller = createScreenReaderOutput({ store, screen, output, commands: controller.commands, theme })
  const stopHearing = input.subscribe(key => handOn(key, controller))
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

/** Runs another program while the output is held, and `after` when the terminal is ours again. */
async function holding(output: TerminalOutput, run: () => Promise<void>, after: () => void): Promise<void> {
  output.hold()
  try {
    await output.taken()
    await run()
  } finally {
    output.unhold()
    after()
  }
}

/** Mounts the program on the terminal. */
export function mount({
  store,
  controller,
  screen,
  input,
  output,
  images = null,
  marksPrompts,
  second,
}: MountOptions): Mounted {
  const canvas = createCanvas<View>({
    output,
    app: screen => (
      <App keys={input} keyboard={controller}>
        {screen}
      </App>
    ),
    viewOf,
  })
  const picture = createLiveScreen({ store, screen, output, canvas, images, marksPrompts })
  second.onPage = (view, isAnew) => output.drawAlternate({ rows: canvas.draw(view), caret: view.page.caret }, isAnew)
  canvas.onDrawn = (view, rows) => {
    if (view.kind === 'live') picture.drawn(rows)
    else output.drawAlternate({ rows, caret: view.page.caret })
  }
  picture.show()
  const redraw = (): void => (second.isOpen() ? second.redraw() : picture.repaint())
  output.onRepaint = redraw
  return {
    redraw,
    show: picture.show,
    backFromAlternate: picture.catchUp,
    async suspend(run) {
      second.pause()
      picture.show()
      await holding(output, run, () => {
        picture.show()
        second.resume()
      })
    },
    async unmount() {
      await output.lastTaken()
      // The last state has an empty live zone.
      picture.show()
      await canvas.unmount()
    },
  }
}

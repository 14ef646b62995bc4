import type { Controller } from '../src/app/controller.ts'
import type { AppState } from '../src/state/state.ts'
import type { Store } from '../src/state/store.ts'
import type { TerminalInput } from '../src/terminal/input.ts'
import type { TerminalOutput } from '../src/terminal/output.ts'
import type { Screen } from '../src/rows/screen.ts'
import type { Theme } from '../src/style/theme.ts'
import { App, viewOf, type View } from './App.tsx'
import { createCanvas } from './canvas.tsx'
import { handOn } from './KeyboardInput.tsx'
import { createLiveScreen, type LiveScreenImages } from './screens/live-screen.ts'
import { createScreenReaderOutput } from './screens/screen-reader-output.ts'
import type { AlternateScreen } from './screens/alternate-screen.ts'

export type Mounted = {
  /** The shell's screen is shown again, after another one. */
  backFromAlternate(): void
  /** Draws what was changed otherwise than in the program's state. */
  show(): void
  /** Draws the screen anew; deletes nothing that has scrolled away. */
  redraw(): void
  /**
   * Takes the live zone off the screen while `run` has the terminal, and draws then what has come meanwhile. Only one at a
   * time. Rejects as `run` does, with the screen back.
   */
  suspend(run: () => Promise<void>): Promise<void>
  /** Draws the last state and ends. Resolves when nothing is heard any more. */
  unmount(): Promise<void>
}

export type MountOptions = {
  store: Store<AppState>
  controller: Controller
  screen: Screen
  input: TerminalInput
  output: TerminalOutput
  /** Null where the terminal draws none. */
  images?: LiveScreenImages | null
  /** Whether the terminal is told where prompts begin. */
  marksPrompts?: () => boolean
  /** What may be shown in place of the shell's. */
  second: Pick<AlternateScreen, 'isOpen' | 'pause' | 'resume' | 'redraw' | 'draw' | 'onPage'>
}

/** Puts the program on a terminal that is heard and not seen: nothing that was written is ever changed. */
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
      output.hold()
      try {
        await output.taken()
        await run()
      } finally {
        output.unhold()
        teller.show()
        teller.repeat()
      }
    },
    async unmount() {
      await output.lastTaken()
      teller.show()
      output.append('\n')
      stopHearing()
    },
  }
}

/** Puts the program on the terminal. */
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
      output.hold()
      try {
        await output.taken()
        await run()
      } finally {
        output.unhold()
        picture.show()
        second.resume()
      }
    },
    async unmount() {
      await output.lastTaken()
      // The last change empties the live zone.
      picture.show()
      await canvas.unmount()
    },
  }
}

import { render } from 'ink'
import type { Controller } from '../src/app/controller.ts'
import type { AppState } from '../src/app/state.ts'
import type { Store } from '../src/app/store.ts'
import type { TerminalInput } from '../src/terminal/input.ts'
import type { TerminalOutput } from '../src/terminal/output.ts'
import type { Screen } from '../src/view/screen.ts'
import { App } from './App.tsx'
import { createPicture, type Images } from './picture.ts'

export type Mounted = {
  /** Draws the screen anew; deletes nothing that has scrolled away. */
  redraw(): void
  /**
   * Takes the live zone off the screen while `run` has the terminal, and draws then what has come meanwhile. Only one at a
   * time. Rejects as `run` does, with the screen back.
   */
  suspend(run: () => Promise<void>): Promise<void>
  /** Takes the live zone off the screen and gives the terminal back. Resolves when all is written. */
  unmount(): Promise<void>
}

export type MountOptions = {
  store: Store<AppState>
  controller: Controller
  screen: Screen
  input: TerminalInput
  output: TerminalOutput
  /** Null where the terminal draws none. */
  images?: Images | null
}

/** Puts the program on the terminal. */
export function mount({ store, controller, screen, input, output, images = null }: MountOptions): Mounted {
  const picture = createPicture(store, screen, output, images)
  const app = <App picture={picture} controller={controller} />
  const instance = render(app, {
    stdout: output,
    stdin: input,
    // An empty CI variable would count as CI for Ink; whether this is a terminal was asked before.
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    // The output facade finds what differs, on what the terminal shows: from Ink it takes whole frames.
    incrementalRendering: false,
    // Events are gathered to frames already: a second clock would only delay keys.
    maxFps: 1000,
  })
  const forget = (): void => {
    // At once and not in React's own time: the whole frame that follows is of the new size.
    instance.rerender(app)
    instance.clear()
  }
  const redraw = (): void => picture.repaint(forget)
  output.onResize = redraw
  return {
    redraw,
    async suspend(run) {
      await instance.waitUntilRenderFlush()
      instance.clear()
      output.hold()
      try {
        await run()
      } finally {
        output.unhold()
        picture.show()
        // Ink draws a whole frame then, also where it believes that the last one still stands there.
        output.emit('resize')
      }
    },
    async unmount() {
      // The last change, which empties the live zone, has still to be drawn: Ink leaves what it drew last.
      await instance.waitUntilRenderFlush()
      instance.unmount()
      await instance.waitUntilExit()
      output.flush()
    },
  }
}

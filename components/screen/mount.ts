import { typedEarly } from '../../src/state/composer/early-typing.ts'
import type { AppState } from '../../src/state/state.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import type { TerminalInput } from '../../src/terminal/input/input.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import type { Screen } from './screen.ts'
import { createEarlyCanvas } from './early-canvas.ts'
import { handOn, type Keyboard } from '../keyboard.ts'
import { holding } from './holding.ts'
import { createLiveScreen, type LiveScreenImages } from './live-screen.ts'
import type { AlternateScreen } from '../pages/alternate-screen.ts'
import { rowsOfView, type View } from './view.ts'

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
  /** Draws the last state and ends. Resolves when input is no longer read. */
  unmount(): Promise<void>
}

/** The program on the terminal, from its first frame on. */
export type MountedProgram = Mounted & {
  /** Sends keys to the program from now on, earlier ones first, and pages to the alternate screen. */
  connect: (parts: ConnectedParts) => void
  /** Loads React and Ink, which lay out everything from then on. */
  loadComponents: () => Promise<void>
}

export type MountOptions = {
  store: AppStore
  screen: Screen
  input: TerminalInput
  output: TerminalOutput
  /** Whether to mark prompts for the terminal (OSC 133). */
  marksPrompts?: () => boolean
}

type ConnectedParts = {
  keyboard: Keyboard
  /** The alternate screen. */
  alternateScreen: Pick<AlternateScreen, 'isOpen' | 'pause' | 'resume' | 'redraw' | 'onPage'>
  /** Loads the components of the pages. */
  loadPages: () => Promise<void>
  /** Null if the terminal cannot draw images. */
  images: LiveScreenImages | null
}

/** Mounts the program on the terminal, and draws the first frame. */
export function mount({ store, screen, input, output, marksPrompts }: MountOptions): MountedProgram {
  const canvas = createEarlyCanvas<View>(rowsOfView)
  let parts: ConnectedParts | null = null
  let unsubscribe: (() => void) | null = null
  let isOver = false
  const liveScreen = createLiveScreen({
    store,
    screen,
    output,
    canvas,
    images: () => parts?.images ?? null,
    marksPrompts,
  })
  canvas.onDrawn = (view, rows) => {
    if (view.kind === 'live') liveScreen.drawn(rows)
    else output.drawAlternate({ rows, caret: view.page.caret })
  }
  liveScreen.show()
  const redraw = (): void => (parts?.alternateScreen.isOpen() ? parts.alternateScreen.redraw() : liveScreen.repaint())
  output.onRepaint = redraw
  const takeBack = showTyping(store, input)
  return {
    redraw,
    show: liveScreen.show,
    backFromAlternate: liveScreen.catchUp,
    connect(screenParts) {
      parts = screenParts
      const { keyboard, alternateScreen } = screenParts
      alternateScreen.onPage = (page, isAnew) =>
        output.drawAlternate({ rows: canvas.draw({ kind: 'page', page }), caret: page.caret }, isAnew)
      unsubscribe = input.subscribe(key => {
        takeBack()
        handOn(key, keyboard)
      })
      // At once, so that no frame comes between taking back the shown keys and typing them.
      input.handOnWaiting()
    },
    async loadComponents() {
      const [{ createInkCanvas }] = await Promise.all([import('./ink-canvas.tsx'), parts?.loadPages()])
      if (isOver || !parts) return
      // From here on keys wait until their component subscribes.
      unsubscribe?.()
      canvas.handOver(createInkCanvas(output, input, parts.keyboard))
    },
    async suspend(run) {
      parts?.alternateScreen.pause()
      liveScreen.show()
      await holding(output, run, () => {
        liveScreen.show()
        parts?.alternateScreen.resume()
      })
    },
    async unmount() {
      isOver = true
      await output.lastTaken()
      // The last state has an empty live zone.
      liveScreen.show()
      unsubscribe?.()
      await canvas.unmount()
    },
  }
}

/**
 * Shows in the composer the text that is typed before the program takes keys. The returned function removes it, right
 * before the keys are passed on: both are drawn together.
 */
function showTyping(store: AppStore, input: TerminalInput): () => void {
  let shown: AppState['editor'] | null = null
  input.onWaiting = key => {
    // The terminal's replies and unknown keys change nothing.
    if (key.name === '') return
    const editor = typedEarly(store.get().editor, key)
    if (editor === null) return void (input.onWaiting = null)
    shown = editor
    store.dispatch({ type: 'typed_early', editor })
  }
  return () => {
    input.onWaiting = null
    // A draft of the last session may be there instead.
    if (store.get().editor === shown) store.dispatch({ type: 'typed_early', editor: null })
    shown = null
  }
}

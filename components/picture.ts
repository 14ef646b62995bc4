import type { AppState } from '../src/app/state.ts'
import type { Store } from '../src/app/store.ts'
import type { TerminalOutput } from '../src/terminal/output.ts'
import type { Frame, Screen } from '../src/view/screen.ts'

/** What React draws: the newest frame that the terminal could take. */
export type Picture = {
  get: () => Frame
  subscribe: (listener: () => void) => () => void
  printed: (count: number) => void
  /** Draws the state as it is now. */
  show: () => void
  /** Draws the whole screen anew; `clear` makes Ink forget its frame. */
  repaint: (clear: () => void) => void
}

/**
 * Draws the program's state as it changes. While the terminal cannot take a frame (it is being resized, or it does not
 * keep up) the changes stay here: Ink must never be made to draw what is then not shown.
 */
export function createPicture(store: Store<AppState>, screen: Screen, output: TerminalOutput): Picture {
  const listeners = new Set<() => void>()
  let frame = screen.draw(store.get(), output)

  function show(): void {
    frame = screen.draw(store.get(), output)
    for (const listener of listeners) listener()
  }

  store.subscribe(() => {
    if (output.canDraw()) show()
  })
  output.onReady = show

  return {
    get: () => frame,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    printed: count => screen.printed(count),
    show,
    repaint(clear) {
      const drawn = { live: frame.live, count: frame.committed.length, columns: output.columns }
      output.repaint(() => {
        const rows = screen.rowsAboveCaret(drawn, output)
        // At the new size, and with what was held back; Ink's own writing of it is discarded.
        show()
        clear()
        return { above: screen.lastScreenful(output, rows === null ? drawn.count : 0), rows }
      })
    },
  }
}

/** The display of the program. Parts that need it are built before it is attached. */
import type { Mounted } from '../../../components/screen/mount.ts'
import type { Screen } from '../../../components/screen/screen.ts'
import type { Theme } from '../../../src/style/theme.ts'
import type { MouseEvent } from '../../../src/terminal/input/mouse.ts'

type Attached = { screen: Screen; mounted: Mounted }

export type Display = {
  /** Called once, when the program is on the terminal. Before that, nothing is drawn. */
  attach: (shown: Attached) => void
  /** Prints a text into the scrollback as it is. */
  print: (text: string) => void
  redraw: () => void
  setTheme: (theme: Theme) => void
  backFromAlternate: () => void
  mouse: (event: MouseEvent) => void
  /** Sets the listener of mouse events. */
  onMouse: (listener: (event: MouseEvent) => void) => void
  unmount: () => Promise<void>
  /** Takes the program off the screen while `run` has the terminal: see `Mounted`. */
  suspend: (run: () => Promise<void>) => Promise<void>
}

export function createDisplay(): Display {
  let shown: Attached | null = null
  let onMouseEvent: Display['mouse'] | null = null
  return {
    attach(parts) {
      shown = parts
    },
    print(text) {
      shown?.screen.print(text)
      shown?.mounted.show()
    },
    redraw: () => shown?.mounted.redraw(),
    setTheme: theme => shown?.screen.setTheme(theme),
    backFromAlternate: () => shown?.mounted.backFromAlternate(),
    mouse: event => onMouseEvent?.(event),
    onMouse(listener) {
      onMouseEvent = listener
    },
    unmount: async () => shown?.mounted.unmount(),
    suspend: async run => shown?.mounted.suspend(run),
  }
}

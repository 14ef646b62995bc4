import type { Viewer } from '../src/app/viewing.ts'
import { keyRows } from '../src/app/texts.ts'
import type { Keymap } from '../src/app/keymap.ts'
import type { AppState } from '../src/app/state.ts'
import type { Store } from '../src/app/store.ts'
import type { MouseEvent } from '../src/terminal/mouse.ts'
import type { Terminal } from '../src/terminal/terminal.ts'
import { viewerPage } from '../src/viewer/page.ts'
import { Reader } from '../src/viewer/reader.ts'
import type { Theme } from '../src/view/theme.ts'

export type ViewerScreen = Viewer & {
  isOpen: () => boolean
  mouse: (event: MouseEvent) => void
  /** Leaves the alternate screen for another program, and shows it again. */
  pause: () => void
  resume: () => void
  /** Draws all of it anew. */
  redraw: () => void
}

export type ViewerScreenOptions = {
  store: Store<AppState>
  terminal: Pick<Terminal, 'output' | 'enterAlternate' | 'leaveAlternate'>
  theme: () => Theme
  keymap: Keymap
  hearsMouse: () => boolean
  /** The shell's screen can be drawn again, with all that has come meanwhile; at another size where it was `resized`. */
  onLeft: (resized: boolean) => void
  print: (text: string) => void
  /** Milliseconds, of any clock. */
  clock: () => number
}

/** How long what nobody waits for may go on at once: a key waits no longer. */
const SLICE = 8

/** The viewer on the alternate screen: draws what changes, and prepares the rest of the conversation between two keys. */
export function createViewerScreen(options: ViewerScreenOptions): ViewerScreen {
  const { store, terminal, theme, keymap, hearsMouse, clock } = options
  const { output } = terminal
  const keys = keyRows(keymap.bindings.filter(({ context }) => context === 'viewer'))
  let reader: Reader | null = null
  let isOpen = false
  let due = false
  let working = false
  store.subscribe(drawSoon)
  output.onAlternate = () => draw()

  return {
    open() {
      reader ??= new Reader(theme(), output)
      reader.open(store.get(), theme(), output)
      isOpen = true
      enter()
    },
    close() {
      isOpen = false
      options.onLeft(terminal.leaveAlternate().resized)
    },
    isOpen: () => isOpen,
    perform: move => change(reading => reading.perform(move)),
    type(text) {
      const isTaken = reader?.type(text) ?? false
      if (isTaken) draw()
      return isTaken
    },
    isBusy: () => reader?.overlay !== null || reader.search !== null,
    source: () => reader?.source() ?? null,
    answer: () => reader?.answer() ?? null,
    file: () => reader?.file() ?? null,
    print: options.print,
    mouse(event) {
      if (!isOpen) return
      change(reading => (event.kind === 'wheel' ? reading.wheel(event.by) : reading.click(event.y)))
    },
    pause() {
      if (isOpen) options.onLeft(terminal.leaveAlternate().resized)
    },
    resume() {
      if (isOpen) enter()
    },
    redraw: () => draw(true),
  }

  function enter(): void {
    terminal.enterAlternate(hearsMouse())
    draw()
  }

  function change(how: (reading: Reader) => void): void {
    if (reader) how(reader)
    draw()
  }

  /** All changes of one go together. */
  function drawSoon(): void {
    if (!isOpen || due) return
    due = true
    queueMicrotask(() => {
      due = false
      draw()
    })
  }

  function draw(anew = false): void {
    if (!isOpen || !reader || !output.isAlternate) return
    const size = { columns: output.columns, rows: output.rows }
    reader.update(store.get(), theme(), size)
    output.drawAlternate(viewerPage(reader, store.get(), { theme: theme(), size, keys }), anew)
    if (!working) setImmediate(work)
    working = true
  }

  function work(): void {
    working = false
    if (!isOpen || !reader) return
    const end = clock() + SLICE
    let more = reader.work()
    const wasBusy = more
    while (more && clock() < end) more = reader.work()
    if (!wasBusy) return
    // What was counted and found by now.
    draw()
  }
}

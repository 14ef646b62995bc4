import type { AppState } from '../../src/state/state.ts'
import { oncePerTick } from '../../src/state/once-per-tick.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import type { MouseEvent } from '../../src/terminal/input/mouse.ts'
import type { Size } from '../../src/text/lines/width.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'
import type { PageView } from './page.ts'

/** The content of the alternate screen. */
export type PageSource = {
  /** The current page. */
  page: (state: AppState, size: Size) => PageView
  /** Does a little background work; false if nothing is left. */
  work: () => boolean
  mouse: (event: MouseEvent) => void
}

export type AlternateScreen = {
  isOpen: () => boolean
  /** Opens the alternate screen. */
  show: (shown: PageSource) => void
  /** Returns to the main screen. */
  leave: () => void
  /** Draws soon what has changed: the state of the page. */
  changed: () => void
  mouse: (event: MouseEvent) => void
  /** Closes the alternate screen for another program, and opens it again. */
  pause: () => void
  resume: () => void
  /** Redraws all of it. */
  redraw: () => void
  /** Writes a page to the terminal; `isAnew` redraws all of it. */
  onPage: ((page: PageView, isAnew: boolean) => void) | null
}

export type AlternateScreenOptions = {
  store: AppStore
  terminal: Pick<Terminal, 'output' | 'enterAlternate' | 'leaveAlternate'>
  readsMouse: () => boolean
  /** Called when the main screen can be drawn again. */
  onClosed: () => void
  /** The time in milliseconds of any clock. */
  clock: () => number
}

/** Milliseconds of background work in one go: the longest delay of a key. */
const SLICE = 8
/** The interval for showing its progress, in milliseconds. */
const NEWS = 50

/** The alternate screen: draws changes of its content, and lets it work between two keys. */
export function createAlternateScreen({
  store,
  terminal,
  readsMouse,
  onClosed,
  clock,
}: AlternateScreenOptions): AlternateScreen {
  const { output } = terminal
  let shown: PageSource | null = null
  let working = false
  /** The time of the last frame, and whether work was done since. */
  let drawnAt = 0
  let hasNews = false
  const changed = oncePerTick(draw)
  store.subscribe(changed)
  output.onAlternate = () => draw()

  const screen: AlternateScreen = {
    isOpen: () => shown !== null,
    show(next) {
      shown = next
      enter()
    },
    leave() {
      shown = null
      terminal.leaveAlternate()
      onClosed()
    },
    changed,
    mouse: event => shown?.mouse(event),
    pause() {
      if (!shown) return
      terminal.leaveAlternate()
      onClosed()
    },
    resume() {
      if (shown) enter()
    },
    redraw: () => draw(true),
    onPage: null,
  }
  return screen

  function enter(): void {
    terminal.enterAlternate(readsMouse())
    draw()
  }

  function draw(anew = false): void {
    if (!shown || !output.isAlternate) return
    screen.onPage?.(shown.page(store.get(), { columns: output.columns, rows: output.rows }), anew)
    drawnAt = clock()
    hasNews = false
    workSoon()
  }

  function workSoon(): void {
    if (!working) setImmediate(work)
    working = true
  }

  function work(): void {
    working = false
    if (!shown) return
    const end = clock() + SLICE
    let more = shown.work()
    hasNews ||= more
    while (more && clock() < end) more = shown.work()
    if (more && clock() - drawnAt < NEWS) return workSoon()
    // Shows the current counts and matches.
    if (hasNews) draw()
  }
}

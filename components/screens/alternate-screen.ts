import type { AppState } from '../../src/state/state.ts'
import type { Store } from '../../src/state/store.ts'
import type { MouseEvent } from '../../src/terminal/mouse.ts'
import type { Size } from '../../src/text/width.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'
import type { View } from '../App.tsx'

/** A page of it, and whose. */
type Page = Exclude<View, { kind: 'live' }>

/** What can be shown in place of the shell's screen. */
export type Shown = {
  /** All that is to be seen now. */
  page: (state: AppState, size: Size) => Page
  /** Does a small part of what nobody waits for; false where nothing is left to do. */
  work: () => boolean
  mouse: (event: MouseEvent) => void
}

export type AlternateScreen = {
  isOpen: () => boolean
  /** Goes to the alternate screen. */
  show: (shown: Shown) => void
  /** Goes back to the shell's. */
  leave: () => void
  /** Draws what has changed otherwise than in the program's state. */
  draw: () => void
  mouse: (event: MouseEvent) => void
  /** Leaves the alternate screen for another program, and shows it again. */
  pause: () => void
  resume: () => void
  /** Draws all of it anew. */
  redraw: () => void
  /** Puts a page on the terminal, whatever stands there where `isAnew`. */
  onPage: ((page: Page, isAnew: boolean) => void) | null
}

export type AlternateScreenOptions = {
  store: Store<AppState>
  terminal: Pick<Terminal, 'output' | 'enterAlternate' | 'leaveAlternate'>
  hearsMouse: () => boolean
  /** The shell's screen can be drawn again, with all that has come meanwhile. */
  onLeft: () => void
  /** Milliseconds, of any clock. */
  clock: () => number
}

/** How long what nobody waits for may go on at once: a key waits no longer. */
const SLICE = 8
/** How often it is shown how far that is. */
const NEWS = 50

/** The alternate screen: draws what changes of what is shown there, and has it work on between two keys. */
export function createAlternateScreen({
  store,
  terminal,
  hearsMouse,
  onLeft,
  clock,
}: AlternateScreenOptions): AlternateScreen {
  const { output } = terminal
  let shown: Shown | null = null
  let due = false
  let working = false
  /** When it was drawn last, and whether more has been done since. */
  let drawnAt = 0
  let hasNews = false
  store.subscribe(drawSoon)
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
      onLeft()
    },
    draw,
    mouse: event => shown?.mouse(event),
    pause() {
      if (!shown) return
      terminal.leaveAlternate()
      onLeft()
    },
    resume() {
      if (shown) enter()
    },
    redraw: () => draw(true),
    onPage: null,
  }
  return screen

  function enter(): void {
    terminal.enterAlternate(hearsMouse())
    draw()
  }

  /** All changes of one go together. */
  function drawSoon(): void {
    if (!shown || due) return
    due = true
    queueMicrotask(() => {
      due = false
      draw()
    })
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
    // What was counted and found by now.
    if (hasNews) draw()
  }
}

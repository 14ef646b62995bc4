/**
 * Turns the program's state into a screen: pieces for the scrollback, each once, and the live zone below. One instance serves
 * one run of the program.
 */
import type { ChatState } from '../../src/conversation/state.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import type { AppState } from '../../src/state/state.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Reflow } from '../../src/text/lines/reflow.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { hasGap } from '../../src/transcript/entries.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'
import { liveZone } from '../layout.ts'
import type { LiveZone } from '../regions.ts'
import { conversationLine } from '../status/conversations.ts'
import { Scrollback, type Committed } from './scrollback.ts'
import { shared } from './shared.ts'
import { shownAgain } from './shown-again.ts'

export type ScreenFrame = {
  /** The finished pieces that are not printed yet, oldest first. */
  committed: readonly Committed[]
  live: LiveZone
  /** Whether there is more to draw: a frame takes only a part of a long text. */
  more: boolean
}

export type Screen = {
  /** Draws with this theme from now on; printed text stays as it is. The first call decides the theme. */
  setTheme: (theme: Theme) => void
  draw: (state: AppState, size: Size) => ScreenFrame
  /** Prints a text as it is, before the next piece. */
  print: (text: string) => void
  /** Reports that the first `count` pieces of the last frame have been printed. Their text is released. */
  printed: (count: number) => void
  /**
   * The last finished lines, wrapped again: those on the screen, as the terminal has reflowed them, and the unprinted pieces.
   * With `whole`, everything that is kept.
   */
  lastScreenful: (size: Size, whole: boolean, reflow: Reflow) => Styled[]
  /**
   * The rows from the first finished line down to the caret, with the printed pieces as the terminal has reflowed them. Null if
   * these fill the screen, so that it shows no output of other programs.
   */
  rowsAboveCaret: (live: LiveZone, now: Size, reflow: Reflow) => number | null
}

/** The rows of the screen below the last pieces, and of the line above these. */
const AROUND = 8

/**
 * Until the theme is decided, everything is drawn in a theme for any background, and nothing is printed: the header, which
 * comes first, stays in the live zone. `pictures` are the kinds of images that the terminal draws. Each is drawn once, when its
 * piece is printed; after a redraw its rows are blank.
 */
export function createScreen(
  first: Theme,
  commands: () => readonly SlashCommand[],
  isDecided = true,
  pictures: readonly string[] = [],
): Screen {
  const scrollback = new Scrollback(first, pictures)
  let timeline = createTimeline()
  /** The conversation on the screen: see `AppState.restored`. */
  let shown = 0
  /** The conversation of this zotui that is shown: see `Startup`. */
  let conversation: number | null = null
  let decided = isDecided
  let last: TimelineItem | null = null
  const waiting: string[] = []
  /** The conversation as it was drawn last before the header, below which its words are printed. */
  let unprinted: ChatState | null = null
  const early: TimelineItem[] = []
  let live: LiveZone | null = null

  return {
    setTheme(next) {
      scrollback.theme = next
      decided = true
    },
    draw,
    print: text => void waiting.push(text),
    printed: number => scrollback.printed(number),
    lastScreenful: (size, whole, reflow) => scrollback.lastScreenful(size, whole, reflow),
    rowsAboveCaret: (zone, now, reflow) => scrollback.rowsAboveCaret(zone, now, reflow),
  }

  function draw(state: AppState, size: Size): ScreenFrame {
    scrollback.begin(state, size)
    const { phase } = state.chat.agent
    // The header is live until the agent has answered or ended, and the files that it loads are known.
    if (!scrollback.header && decided && state.reading !== 'awaited' && (phase === 'ready' || phase === 'ended'))
      scrollback.addHeader(state)
    const isBegun = scrollback.header !== null
    const { conversation: other = 1 } = state.startup
    conversation ??= other
    if (isBegun && other !== conversation) {
      conversation = other
      showAgain(state, size)
    }
    if (state.restored.times !== shown) {
      // A session was opened before the agent had answered. What zotui said until then is no part of it.
      if (unprinted) early.push(...timeline.advance(unprinted))
      shown = state.restored.times
      timeline = createTimeline(state.restored.shown)
    }
    unprinted = isBegun ? null : state.chat
    const items = isBegun ? [...early.splice(0), ...timeline.advance(state.chat)] : []
    for (const item of items) addItem(item)
    // Earlier items are printed first.
    if (isBegun && !timeline.isBehind()) for (const text of waiting.splice(0)) addItem({ kind: 'raw', text })
    const committed = scrollback.commit()
    const { theme } = scrollback
    const { columns, rows } = size
    const frame = { state, theme, columns, rows, commands: commands(), timeline, last, headerDone: isBegun }
    live = shared(live, liveZone(frame))
    return { committed, live, more: isBegun && timeline.isBehind() }
  }

  function addItem(item: TimelineItem): void {
    scrollback.add(item, hasGap(last, item))
    last = item
  }

  /** Another conversation is shown: its end follows a line with its name. */
  function showAgain(state: AppState, { columns, rows }: Size): void {
    shown = state.restored.times
    const again = shownAgain(state.chat, Math.max(1, rows - AROUND), item =>
      scrollback.rowsOfItem(item, state, columns),
    )
    timeline = again.timeline
    scrollback.add(conversationLine(state, again.above), true)
    last = null
    for (const item of again.items) {
      // The first one may be the middle of a text, which brings its own blank line.
      scrollback.add(item, last ? hasGap(last, item) : item.kind !== 'block' || item.first)
      last = item
    }
  }
}

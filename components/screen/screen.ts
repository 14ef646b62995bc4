/**
 * Turns the program's state into a screen: pieces for the scrollback, each once, and the live zone below. One instance serves
 * one run of the program.
 */
import { isOutdated } from '../../src/conversation/walk.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import { firstKeyNames, type AppState } from '../../src/state/state.ts'
import { rowsOf as rowsOfLine, type Reflow } from '../../src/text/lines/reflow.ts'
import { hasGap, renderItem } from '../../src/transcript/entries.ts'
import { conversationLine, conversationLines, type ConversationLine } from '../status/conversations.ts'
import { liveZone } from '../layout.ts'
import { caretIn, type LiveZone } from '../regions.ts'
import { shared } from './shared.ts'
import { shownAgain } from './shown-again.ts'
import { headerLines } from '../header/rows.ts'
import { empty, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { picturePlace, type PicturePlace } from '../../src/tools/panel/picture.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'
import type { Detail } from '../../src/tools/panel/tool-context.ts'
import type { Size } from '../../src/text/lines/width.ts'

/** The lines of a finished piece. Its last lines are blank if a picture will be drawn on them. */
export type Committed = { lines: readonly Styled[]; isPrompt: boolean; picture?: PicturePlace }

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

/** A piece in the scrollback that a redraw may need. The header has no item. */
type Piece = {
  id: number
  item: TimelineItem | ConversationLine | null
  gap: boolean
  detail: Detail
  picture: PicturePlace | null
  /** The rows of the screen when it was printed. */
  rows: number
  /** Whether it was printed as it was written. */
  raw: boolean
  /** Whether its thinking was printed in full. */
  thoughts: boolean
  columns: number
  /** True if a later piece stands for it, too, and the screen was redrawn since. */
  isOutdated?: true
}

/** The rows of the screen below the last pieces, and of the line above these. */
const AROUND = 8

/** The pieces that are kept for a redraw; no terminal shows more. */
const KEPT = 400

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
  let timeline = createTimeline()
  /** The conversation on the screen: see `AppState.restored`. */
  let shown = 0
  /** The conversation of this zotui that is shown: see `Startup`. */
  let conversation: number | null = null
  let theme = first
  let decided = isDecided
  /** The unprinted pieces, after `count` printed ones. */
  let committed: readonly Committed[] = []
  let count = 0
  let header: AppState | null = null
  let recent: Piece[] = []
  let last: TimelineItem | null = null
  let waiting: string[] = []
  let [raw, thoughts] = [false, false]
  let live: LiveZone | null = null

  return { setTheme, draw, print: text => void waiting.push(text), printed, lastScreenful, rowsAboveCaret }

  function setTheme(next: Theme): void {
    theme = next
    decided = true
  }

  function draw(state: AppState, { columns, rows }: Size): ScreenFrame {
    const fresh: Committed[] = []
    const add = (item: Piece['item'], gap: boolean): void => {
      const { detail } = state
      const isShown = item?.kind === 'tool' && detail !== 'names' && !raw
      const picture = isShown ? picturePlace(item.tool, { columns, rows }, pictures) : null
      const id = count + committed.length + fresh.length
      const piece = { id, item, gap, detail, picture, rows, raw, thoughts, columns }
      recent.push(piece)
      const isPrompt = item?.kind === 'prompt'
      const lines = linesOf(piece, columns)
      // A piece without lines may have some after a redraw.
      if (lines.length === 0) return
      fresh.push({ lines, isPrompt, ...(picture && { picture }) })
    }
    ;({ raw, thoughts } = state)
    rewrap(columns)
    const { phase } = state.chat.agent
    // The header is live until the agent has answered or ended, and the files that it loads are known.
    if (!header && decided && state.reading !== 'awaited' && (phase === 'ready' || phase === 'ended')) {
      header = state
      add(null, false)
    }
    const { conversation: other = 1 } = state.startup
    conversation ??= other
    if (header && other !== conversation) {
      conversation = other
      shown = state.restored.times
      const again = shownAgain(state.chat, Math.max(1, rows - AROUND), item =>
        rowsOf(itemLines(item, state, columns), columns),
      )
      timeline = again.timeline
      add(conversationLine(state, again.above), true)
      last = null
      for (const item of again.items) {
        // The first one may be the middle of a text, which brings its own blank line.
        add(item, last ? hasGap(last, item) : item.kind !== 'block' || item.first)
        last = item
      }
    }
    if (state.restored.times !== shown) {
      shown = state.restored.times
      timeline = createTimeline(state.restored.shown)
    }
    const items = header ? timeline.advance(state.chat) : []
    // Earlier items are printed first.
    const texts = header && !timeline.isBehind() ? waiting.splice(0) : []
    for (const item of [...items, ...texts.map(text => ({ kind: 'raw', text }) as const)]) {
      add(item, hasGap(last, item))
      last = item
    }
    if (fresh.length > 0) committed = [...committed, ...fresh]
    const kept = Math.min(committed.length + KEPT, recent.length)
    if (recent.length > 2 * kept) recent = recent.slice(-kept)
    const frame = { state, theme, columns, rows, commands: commands(), timeline, last, headerDone: header !== null }
    live = shared(live, liveZone(frame))
    return { committed, live, more: header !== null && timeline.isBehind() }
  }

  /** Wraps unprinted pieces for the width at which they will be printed. */
  function rewrap(columns: number): void {
    if (!recent.some(piece => piece.id >= count && piece.columns !== columns)) return
    const again: Committed[] = []
    for (const piece of recent) {
      if (piece.id < count) continue
      piece.columns = columns
      piece.id = count + again.length
      const lines = linesOf(piece, columns)
      const isPrompt = piece.item?.kind === 'prompt'
      const { picture } = piece
      if (lines.length > 0) again.push({ lines, isPrompt, ...(picture && { picture }) })
    }
    committed = again
  }

  function printed(number: number): void {
    count += number
    committed = committed.slice(number)
  }

  function linesOf(piece: Piece, width: number): readonly Styled[] {
    const { item, gap, detail, thoughts: inFull, picture, rows } = piece
    if (piece.isOutdated) return []
    if (!item) return header ? headerLines(header, theme, width) : []
    const mode = piece.raw ? ('terminal' as const) : null
    const takesCommands = !header?.startup.isReplay
    const keyNames = header?.keyNames ?? firstKeyNames
    if (item.kind === 'conversation')
      return [...(gap ? [empty] : []), ...conversationLines(item, keyNames, theme, width)]
    const look = {
      theme,
      markdown: theme.markdown,
      width,
      rows,
      detail,
      thoughts: inFull,
      raw: mode,
      takesCommands,
      keyNames,
      folder: header?.startup.place,
    }
    const lines = renderItem(item, look)
    const blank = Array.from({ length: picture?.rows ?? 0 }, () => empty)
    return [...(gap ? [empty] : []), ...lines, ...blank]
  }

  function itemLines(
    item: TimelineItem,
    { detail, startup, thoughts: inFull }: AppState,
    width: number,
  ): readonly Styled[] {
    const takesCommands = !startup.isReplay
    return [
      empty,
      ...renderItem(item, {
        theme,
        markdown: theme.markdown,
        width,
        detail,
        thoughts: inFull,
        takesCommands,
        folder: startup.place,
      }),
    ]
  }

  function lastScreenful({ columns, rows }: Size, whole: boolean, reflow: Reflow): Styled[] {
    const pieces: Styled[][] = []
    let repeated = 0
    let after: Piece['item'] = null
    const cancelled = new Set<string>()
    for (const piece of recent.toReversed()) {
      const isPrinted = piece.id < count
      if (isPrinted && !whole && repeated >= rows) break
      const stood = isPrinted ? rowsNow(piece, columns, reflow) : 0
      const { item } = piece
      if (item?.kind === 'notice') {
        const { cancels, details = '', isPreview, text } = item.notice
        if (cancels) cancelled.add(details)
        const isReplaced = after?.kind === 'notice' && isOutdated(item.notice, after.notice)
        if (isReplaced || (isPreview && cancelled.delete(text))) piece.isOutdated = true
      }
      after = item
      piece.raw = raw
      piece.thoughts = thoughts
      piece.columns = columns
      const lines = linesOf(piece, columns)
      // Only the visible part of a tall printed piece is repeated.
      const part = Math.min(1, (rows - repeated) / stood)
      const fits = Math.ceil(part * rowsOf(lines, columns))
      pieces.push(isPrinted && !whole && part < 1 ? lastRows(lines, fits, columns) : [...lines])
      repeated += stood
    }
    return pieces.toReversed().flat()
  }

  /** The rows of a printed piece in a terminal of this width. */
  function rowsNow(piece: Piece, columns: number, reflow: Reflow): number {
    return rowsOf(linesOf(piece, piece.columns), reflow === 'cuts' ? piece.columns : columns)
  }

  function rowsAboveCaret(live: LiveZone, now: Size, reflow: Reflow): number | null {
    const { rows: inZone, most } = caretIn(live, now)
    let rows = inZone
    for (const piece of recent.toReversed()) {
      if (rows > most) return null
      if (piece.id < count) rows += rowsNow(piece, now.columns, reflow)
    }
    return rows > most ? null : rows
  }
}

/** The rows that a terminal needs for these lines. */
function rowsOf(lines: readonly Styled[], columns: number): number {
  return lines.reduce((sum, line) => sum + rowsOfLine(line, columns), 0)
}

/** The last lines that fit into these rows, and at least one line. */
function lastRows(lines: readonly Styled[], rows: number, columns: number): Styled[] {
  let from = lines.length
  for (let left = rows; from > 0; from -= 1) {
    left -= rowsOf(lines.slice(from - 1, from), columns)
    if (left < 0 && from < lines.length) break
  }
  return lines.slice(from)
}

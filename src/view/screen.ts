/**
 * From the program's state to what the terminal shows: pieces for the scrollback, each once, and the live zone below.
 * Follows one run of the program.
 */
import type { SlashCommand } from '../app/slash.ts'
import type { AppState, Detail } from '../app/state.ts'
import { displayWidth, expandTabs } from '../text/width.ts'
import { hasGap, renderItem } from './item.ts'
import { linesOfLive, liveZone, type Live } from './live.ts'
import { headerLines } from './status.ts'
import { empty, joinStyled, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'
import { picturePlace, type PicturePlace } from './tool-picture.ts'
import { createTimeline, type Item } from './timeline.ts'

/** A finished piece as one text of several lines. The last ones are blank where a picture is to be drawn on them. */
export type Committed = { id: number; text: Styled; isPrompt: boolean; picture?: PicturePlace }

export type Frame = {
  /** The finished pieces that have not been printed, oldest first. */
  committed: readonly Committed[]
  live: Live
  /** Whether there is more to draw already: of much text that came at once, a frame takes a part. */
  more: boolean
}

export type Screen = {
  /** Draws with this theme from now on; what is printed stays as it is. From the first call on it is decided. */
  wear: (theme: Theme) => void
  draw: (state: AppState, size: Size) => Frame
  /** Prints a text as it is, before what comes next. */
  print: (text: string) => void
  /** Tells that the first `count` pieces of the last frame have been printed: their text is let go. */
  printed: (count: number) => void
  /**
   * The last finished lines, wrapped anew: a screenful, or more if the pieces that have not been printed are more than
   * that. All that is kept where `whole`.
   */
  lastScreenful: (size: Size, whole: boolean) => string[]
  /**
   * Rows from the first finished line down to the caret: of the printed pieces and a live zone that was drawn in `columns`,
   * in a terminal that has wrapped them to the size of now. Null where that is all of the screen or more, so that nothing
   * of anybody else stands on it. `sinks`: the terminal moves the caret down by the rows that lines below it took more.
   */
  rowsAboveCaret: (live: Live, columns: number, now: Size, sinks: boolean) => number | null
}

export type Size = { columns: number; rows: number }

/** What stands in the scrollback, as far as it may have to be drawn anew; the header is no item. */
type Piece = {
  id: number
  item: Item | null
  gap: boolean
  detail: Detail
  picture: PicturePlace | null
  /** Whether it was printed as it was written. */
  raw: boolean
}

/** Pieces that are kept to draw the screen anew; no terminal shows more than these. */
const KEPT = 400

/**
 * While it is not decided which theme suits the terminal, everything is drawn in one that suits any, and nothing is
 * printed: the header, which stands before all else, stays in the live zone. `pictures` are the kinds of images that the
 * terminal draws: each once, when its piece is printed. Where that is drawn anew, its rows stay blank.
 */
export function createScreen(
  first: Theme,
  commands: () => readonly SlashCommand[],
  isDecided = true,
  pictures: readonly string[] = [],
): Screen {
  let timeline = createTimeline()
  /** The conversation that is on the screen: see `AppState.restored`. */
  let shown = 0
  let theme = first
  let decided = isDecided
  /** The pieces that have not been printed; before them there were `count`. */
  let committed: readonly Committed[] = []
  let count = 0
  let header: AppState | null = null
  let recent: Piece[] = []
  let last: Item | null = null
  let waiting: string[] = []
  let raw = false

  return { wear, draw, print: text => void waiting.push(text), printed, lastScreenful, rowsAboveCaret }

  function wear(next: Theme): void {
    theme = next
    decided = true
  }

  function draw(state: AppState, { columns, rows }: Size): Frame {
    const fresh: Committed[] = []
    const add = (item: Item | null, gap: boolean): void => {
      const { detail } = state
      const isShown = item?.kind === 'tool' && detail !== 'names' && !raw
      const picture = isShown ? picturePlace(item.tool, { columns, rows }, pictures) : null
      const piece = { id: count + committed.length + fresh.length, item, gap, detail, picture, raw }
      recent.push(piece)
      const isPrompt = item?.kind === 'prompt'
      const lines = linesOf(piece, columns)
      // Of what is nothing now there may be something when the screen is drawn anew.
      if (lines.length === 0) return
      fresh.push({ id: piece.id, text: joinStyled(lines, '\n'), isPrompt, ...(picture && { picture }) })
    }
    raw = state.raw
    const { phase } = state.chat.agent
    // The header is live until the agent has answered, or has ended instead, and what it reads by itself is known.
    if (!header && decided && state.reading !== 'awaited' && (phase === 'ready' || phase === 'ended')) {
      header = state
      add(null, false)
    }
    if (state.restored.times !== shown) {
      shown = state.restored.times
      timeline = createTimeline(state.restored.shown)
    }
    const items = header ? timeline.advance(state.chat) : []
    // What was said before is printed before.
    const texts = header && !timeline.isBehind() ? waiting.splice(0) : []
    for (const item of [...items, ...texts.map(text => ({ kind: 'raw', text }) as const)]) {
      add(item, hasGap(last, item))
      last = item
    }
    if (fresh.length > 0) committed = [...committed, ...fresh]
    const kept = Math.min(committed.length + KEPT, recent.length)
    if (recent.length > 2 * kept) recent = recent.slice(-kept)
    const { now } = state
    const context = {
      theme,
      markdown: theme.markdown,
      columns,
      rows,
      commands: commands(),
      timeline,
      last,
      headerDone: header !== null,
      detail: state.detail,
      raw,
      takesCommands: !state.startup.isReplay,
      now,
    }
    return { committed, live: liveZone(state, context), more: header !== null && timeline.isBehind() }
  }

  function printed(number: number): void {
    count += number
    committed = committed.slice(number)
  }

  function linesOf(piece: Piece, width: number): readonly Styled[] {
    const { item, gap, detail, picture } = piece
    if (!item) return header ? headerLines(header, theme, width) : []
    const mode = piece.raw ? 'terminal' : null
    const takesCommands = !header?.startup.isReplay
    const lines = renderItem(item, { theme, markdown: theme.markdown, width, detail, raw: mode, takesCommands })
    const blank = Array.from({ length: picture?.rows ?? 0 }, () => empty)
    return [...(gap ? [empty] : []), ...lines, ...blank]
  }

  function lastScreenful({ columns, rows }: Size, whole: boolean): string[] {
    const pieces: string[][] = []
    let repeated = 0
    for (const piece of recent.toReversed()) {
      if (piece.id < count && !whole && repeated >= rows) break
      piece.raw = raw
      const lines = linesOf(piece, columns)
      // Of a tall piece that was printed before, only what fits is repeated.
      const shown = piece.id < count && !whole ? lastRows(lines, rows - repeated, columns) : [...lines]
      pieces.push(shown)
      if (piece.id < count) repeated += rowsOf(shown, columns)
    }
    return pieces.toReversed().flat()
  }

  function rowsAboveCaret(live: Live, columns: number, now: Size, sinks: boolean): number | null {
    const rowsNow = (some: readonly string[]): number => rowsOf(some, now.columns)
    const { x, y } = live.cursor
    const lines = linesOfLive(live)
    const below = lines.slice(y + 1)
    let rows = rowsNow(lines.slice(0, y)) + Math.floor(x / now.columns) + (sinks ? rowsNow(below) - below.length : 0)
    // The caret stands so many rows higher at least: its own and those below it, with the blank one at the end.
    const most = now.rows - (sinks ? below.length : rowsNow(below)) - 2
    for (const piece of recent.toReversed()) {
      if (rows > most) return null
      if (piece.id < count) rows += rowsNow(linesOf(piece, columns))
    }
    return rows > most ? null : rows
  }
}

/** Rows that the terminal makes of these lines. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(expandTabs(line, TAB)) / columns)), 0)
}

/** As a terminal has them. */
const TAB = 8

/** The last lines that take no more rows than these; of a line that takes more by itself nothing can be left out. */
function lastRows(lines: readonly string[], rows: number, columns: number): string[] {
  let from = lines.length
  for (let left = rows; from > 0; from -= 1) {
    left -= rowsOf(lines.slice(from - 1, from), columns)
    if (left < 0 && from < lines.length) break
  }
  return lines.slice(from)
}

/**
 * From the program's state to what the terminal shows: pieces for the scrollback, each once, and the live zone below.
 * Follows one run of the program.
 */
import type { SlashCommand } from '../state/slash.ts'
import type { AppState } from '../state/state.ts'
import { rowsOf as rowsOfLine, type Reflow } from '../text/reflow.ts'
import { hasGap, renderItem } from '../transcript/entries.ts'
import { linesOfLive, liveZone, type LiveZone } from './live.ts'
import { shared } from './shared.ts'
import { headerLines } from './status.ts'
import { empty, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { picturePlace, type PicturePlace } from '../tools/picture.ts'
import { createTimeline, type Item } from '../transcript/timeline.ts'
import type { Detail } from '../tools/detail.ts'
import type { Size } from '../text/width.ts'

/** The lines of a finished piece. The last ones are blank where a picture is to be drawn on them. */
export type Committed = { id: number; lines: readonly Styled[]; isPrompt: boolean; picture?: PicturePlace }

export type ScreenFrame = {
  /** The finished pieces that have not been printed, oldest first. */
  committed: readonly Committed[]
  live: LiveZone
  /** Whether there is more to draw already: of much text that came at once, a frame takes a part. */
  more: boolean
}

export type Screen = {
  /** Draws with this theme from now on; what is printed stays as it is. From the first call on it is decided. */
  wear: (theme: Theme) => void
  draw: (state: AppState, size: Size) => ScreenFrame
  /** Prints a text as it is, before what comes next. */
  print: (text: string) => void
  /** Tells that the first `count` pieces of the last frame have been printed: their text is let go. */
  printed: (count: number) => void
  /**
   * The last finished lines, wrapped anew: what is on the screen, as the terminal has reflowed it, and the pieces that have
   * not been printed. All that is kept where `whole`.
   */
  lastScreenful: (size: Size, whole: boolean, reflow: Reflow) => Styled[]
  /**
   * Rows from the first finished line down to the caret: of the live zone that stands there, and of the printed pieces as the
   * terminal has reflowed them. Null where that is all of the screen or more, so that nothing of anybody else stands on it.
   */
  rowsAboveCaret: (live: LiveZone, now: Size, reflow: Reflow) => number | null
}

/** What stands in the scrollback, as far as it may have to be drawn anew; the header is no item. */
type Piece = {
  id: number
  item: Item | null
  gap: boolean
  detail: Detail
  picture: PicturePlace | null
  /** Rows of the screen that it was printed on. */
  rows: number
  /** Whether it was printed as it was written, and for how many columns. */
  raw: boolean
  columns: number
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
  let live: LiveZone | null = null

  return { wear, draw, print: text => void waiting.push(text), printed, lastScreenful, rowsAboveCaret }

  function wear(next: Theme): void {
    theme = next
    decided = true
  }

  function draw(state: AppState, { columns, rows }: Size): ScreenFrame {
    const fresh: Committed[] = []
    const add = (item: Item | null, gap: boolean): void => {
      const { detail } = state
      const isShown = item?.kind === 'tool' && detail !== 'names' && !raw
      const picture = isShown ? picturePlace(item.tool, { columns, rows }, pictures) : null
      const piece = { id: count + committed.length + fresh.length, item, gap, detail, picture, rows, raw, columns }
      recent.push(piece)
      const isPrompt = item?.kind === 'prompt'
      const lines = linesOf(piece, columns)
      // Of what is nothing now there may be something when the screen is drawn anew.
      if (lines.length === 0) return
      fresh.push({ id: piece.id, lines, isPrompt, ...(picture && { picture }) })
    }
    raw = state.raw
    rewrap(columns)
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
    live = shared(live, liveZone(state, context))
    return { committed, live, more: header !== null && timeline.isBehind() }
  }

  /** What has not been printed yet is made for the width that it will be printed in. */
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
      if (lines.length > 0) again.push({ id: piece.id, lines, isPrompt, ...(picture && { picture }) })
    }
    committed = again
  }

  function printed(number: number): void {
    count += number
    committed = committed.slice(number)
  }

  function linesOf(piece: Piece, width: number): readonly Styled[] {
    const { item, gap, detail, picture, rows } = piece
    if (!item) return header ? headerLines(header, theme, width) : []
    const mode = piece.raw ? 'terminal' : null
    const takesCommands = !header?.startup.isReplay
    const lines = renderItem(item, { theme, markdown: theme.markdown, width, rows, detail, raw: mode, takesCommands })
    const blank = Array.from({ length: picture?.rows ?? 0 }, () => empty)
    return [...(gap ? [empty] : []), ...lines, ...blank]
  }

  function lastScreenful({ columns, rows }: Size, whole: boolean, reflow: Reflow): Styled[] {
    const pieces: Styled[][] = []
    let repeated = 0
    for (const piece of recent.toReversed()) {
      const isPrinted = piece.id < count
      if (isPrinted && !whole && repeated >= rows) break
      const stood = isPrinted ? rowsNow(piece, columns, reflow) : 0
      piece.raw = raw
      piece.columns = columns
      const lines = linesOf(piece, columns)
      // Of a tall piece that was printed before, only as much is repeated as is on the screen.
      const part = Math.min(1, (rows - repeated) / stood)
      const fits = Math.ceil(part * rowsOf(lines, columns))
      pieces.push(isPrinted && !whole && part < 1 ? lastRows(lines, fits, columns) : [...lines])
      repeated += stood
    }
    return pieces.toReversed().flat()
  }

  /** The rows that a printed piece takes in a terminal of so many columns. */
  function rowsNow(piece: Piece, columns: number, reflow: Reflow): number {
    return rowsOf(linesOf(piece, piece.columns), reflow === 'cuts' ? piece.columns : columns)
  }

  function rowsAboveCaret(live: LiveZone, now: Size, reflow: Reflow): number | null {
    let rows = live.cursor.y
    // Of the screen's rows, the caret's own and those below it are left, with the blank one at the end.
    const most = now.rows - (linesOfLive(live).length - rows) - 1
    for (const piece of recent.toReversed()) {
      if (rows > most) return null
      if (piece.id < count) rows += rowsNow(piece, now.columns, reflow)
    }
    return rows > most ? null : rows
  }
}

/** Rows that the terminal makes of these lines. */
function rowsOf(lines: readonly Styled[], columns: number): number {
  return lines.reduce((sum, line) => sum + rowsOfLine(line, columns), 0)
}

/** The last lines that take no more rows than these; of a line that takes more by itself nothing can be left out. */
function lastRows(lines: readonly Styled[], rows: number, columns: number): Styled[] {
  let from = lines.length
  for (let left = rows; from > 0; from -= 1) {
    left -= rowsOf(lines.slice(from - 1, from), columns)
    if (left < 0 && from < lines.length) break
  }
  return lines.slice(from)
}

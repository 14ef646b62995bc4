/** The pieces of the conversation that are printed into the terminal's scrollback, or will be next. */
import { isOutdated } from '../../src/conversation/walk.ts'
import { firstKeyNames, type AppState } from '../../src/state/state.ts'
import { empty, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { rowsOf as rowsOfLine, type Reflow } from '../../src/text/lines/reflow.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { picturePlace, type PicturePlace } from '../../src/tools/panel/picture.ts'
import type { Detail } from '../../src/tools/panel/tool-context.ts'
import { renderItem } from '../../src/transcript/entries.ts'
import type { TimelineItem } from '../../src/transcript/timeline.ts'
import { headerLines } from '../header/rows.ts'
import { caretIn, type LiveZone } from '../regions.ts'
import { conversationLines, type ConversationLine } from '../status/conversations.ts'

/** The lines of a finished piece. Its last lines are blank if a picture will be drawn on them. */
export type Committed = { lines: readonly Styled[]; isPrompt: boolean; picture?: PicturePlace }

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

/** The pieces that are kept for a redraw; no terminal shows more. */
const KEPT = 400

/** What a frame is drawn with, as far as it concerns a piece. */
type Look = Size & { detail: Detail; raw: boolean; thoughts: boolean }

export class Scrollback {
  theme: Theme
  readonly #pictures: readonly string[]
  /** The state of the first piece, the header; null before it is added. */
  #header: AppState | null = null
  #look: Look = { columns: 0, rows: 0, detail: 'short', raw: false, thoughts: false }
  /** The unprinted pieces, after `#count` printed ones. */
  #committed: readonly Committed[] = []
  /** The unprinted pieces of this frame. */
  #fresh: Committed[] = []
  #count = 0
  #recent: Piece[] = []

  constructor(theme: Theme, pictures: readonly string[]) {
    this.theme = theme
    this.#pictures = pictures
  }

  get header(): AppState | null {
    return this.#header
  }

  /** Begins a frame. Unprinted pieces are wrapped for the width at which they will be printed. */
  begin({ detail, raw, thoughts }: AppState, { columns, rows }: Size): void {
    this.#look = { columns, rows, detail, raw, thoughts }
    this.#rewrap(columns)
  }

  addHeader(state: AppState): void {
    this.#header = state
    this.add(null, false)
  }

  /** The header has no item. */
  add(item: Piece['item'], gap: boolean): void {
    const { columns, rows, detail, raw, thoughts } = this.#look
    const isShown = item?.kind === 'tool' && detail !== 'names' && !raw
    const picture = isShown ? picturePlace(item.tool, { columns, rows }, this.#pictures) : null
    const id = this.#count + this.#committed.length + this.#fresh.length
    const piece = { id, item, gap, detail, picture, rows, raw, thoughts, columns }
    this.#recent.push(piece)
    const lines = this.#linesOf(piece, columns)
    // A piece without lines may have some after a redraw.
    if (lines.length === 0) return
    this.#fresh.push({ lines, isPrompt: item?.kind === 'prompt', ...(picture && { picture }) })
  }

  /** Ends a frame. Returns the pieces that are not printed yet, oldest first. */
  commit(): readonly Committed[] {
    if (this.#fresh.length > 0) this.#committed = [...this.#committed, ...this.#fresh]
    this.#fresh = []
    const kept = Math.min(this.#committed.length + KEPT, this.#recent.length)
    if (this.#recent.length > 2 * kept) this.#recent = this.#recent.slice(-kept)
    return this.#committed
  }

  printed(number: number): void {
    this.#count += number
    this.#committed = this.#committed.slice(number)
  }

  /** See `Screen.lastScreenful`. */
  lastScreenful({ columns, rows }: Size, whole: boolean, reflow: Reflow): Styled[] {
    const { raw, thoughts } = this.#look
    const pieces: Styled[][] = []
    let repeated = 0
    let after: Piece['item'] = null
    const cancelled = new Set<string>()
    for (const piece of this.#recent.toReversed()) {
      const isPrinted = piece.id < this.#count
      if (isPrinted && !whole && repeated >= rows) break
      const stood = isPrinted ? this.#rowsNow(piece, columns, reflow) : 0
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
      const lines = this.#linesOf(piece, columns)
      // Only the visible part of a tall printed piece is repeated.
      const part = Math.min(1, (rows - repeated) / stood)
      const fits = Math.ceil(part * rowsOf(lines, columns))
      pieces.push(isPrinted && !whole && part < 1 ? lastRows(lines, fits, columns) : [...lines])
      repeated += stood
    }
    return pieces.toReversed().flat()
  }

  /** See `Screen.rowsAboveCaret`. */
  rowsAboveCaret(live: LiveZone, now: Size, reflow: Reflow): number | null {
    const { rows: inZone, most } = caretIn(live, now)
    let rows = inZone
    for (const piece of this.#recent.toReversed()) {
      if (rows > most) return null
      if (piece.id < this.#count) rows += this.#rowsNow(piece, now.columns, reflow)
    }
    return rows > most ? null : rows
  }

  /** The rows that an item of another conversation will have, with the blank line above it. */
  rowsOfItem(item: TimelineItem, { detail, startup, thoughts }: AppState, width: number): number {
    const { theme } = this
    const takesCommands = !startup.isReplay
    const look = { theme, markdown: theme.markdown, width, detail, thoughts, takesCommands, folder: startup.place }
    return rowsOf([empty, ...renderItem(item, look)], width)
  }

  #rewrap(columns: number): void {
    if (!this.#recent.some(piece => piece.id >= this.#count && piece.columns !== columns)) return
    const again: Committed[] = []
    for (const piece of this.#recent) {
      if (piece.id < this.#count) continue
      piece.columns = columns
      piece.id = this.#count + again.length
      const lines = this.#linesOf(piece, columns)
      const isPrompt = piece.item?.kind === 'prompt'
      const { picture } = piece
      if (lines.length > 0) again.push({ lines, isPrompt, ...(picture && { picture }) })
    }
    this.#committed = again
  }

  #linesOf(piece: Piece, width: number): readonly Styled[] {
    const { item, gap, detail, thoughts, picture, rows } = piece
    const { theme } = this
    const header = this.#header
    if (piece.isOutdated) return []
    if (!item) return header ? headerLines(header, theme, width) : []
    const keyNames = header?.keyNames ?? firstKeyNames
    if (item.kind === 'conversation')
      return [...(gap ? [empty] : []), ...conversationLines(item, keyNames, theme, width)]
    const lines = renderItem(item, {
      theme,
      markdown: theme.markdown,
      width,
      rows,
      detail,
      thoughts,
      raw: piece.raw ? 'terminal' : null,
      takesCommands: !header?.startup.isReplay,
      keyNames,
      folder: header?.startup.place,
    })
    const blank = Array.from({ length: picture?.rows ?? 0 }, () => empty)
    return [...(gap ? [empty] : []), ...lines, ...blank]
  }

  /** The rows of a printed piece in a terminal of this width. */
  #rowsNow(piece: Piece, columns: number, reflow: Reflow): number {
    return rowsOf(this.#linesOf(piece, piece.columns), reflow === 'cuts' ? piece.columns : columns)
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

/**
 * Shares the rows of the screen below the scrollback among four regions, and the rows of a region among its panels. They are always fewer
 * than those of the terminal, because otherwise copies of them would be left in the scrollback. No panel is known here: `layout.ts` lists
 * them. The first frame needs this before the functions that draw a conversation are loaded.
 */
import type { SlashCommand } from '../src/state/slash.ts'
import type { AppState } from '../src/state/state.ts'
import { empty, fitted, type Styled } from '../src/style/styled.ts'
import type { Theme } from '../src/style/theme.ts'
import { sanitize, type SafeText } from '../src/text/sanitize.ts'
import type { Size } from '../src/text/lines/width.ts'

/** What every panel is drawn from. */
export type PanelFrame = Size & { state: AppState; theme: Theme }

/** Rows that stay together. */
export type PanelPiece = {
  /** Distinguishes the pieces of a panel, and is the same in each frame. */
  key?: string
  /** Whether a blank row precedes it. */
  gap?: boolean
  rows: readonly Styled[]
}

/** What a panel shows, from the top. */
export type DrawnPanel = {
  pieces: readonly PanelPiece[]
  /** The place of the caret, from the first row. */
  caret?: { row: number; column: number }
  /** Pieces above these that are counted and not drawn. */
  hidden?: number
}

/**
 * A part of the screen: a function and no component with hooks, because the whole screen is also drawn without React. React and Ink are
 * loaded when the agent has answered, and a redraw and the tests of a panel need only its rows. Its rows are its natural height: `room` are the rows that its region has, and `left` those that are left by the
 * panels above it. Null if there is nothing to show.
 */
export type Panel<Frame = PanelFrame> = {
  name: string
  draw: (frame: Frame, room: number, left: number) => DrawnPanel | null
  /** What a screen reader speaks when the state has changed from one to the other; nothing by default. */
  spoken?: (before: AppState, now: AppState, context: SpokenContext) => readonly SafeText[]
  /** The least height that it is drawn for. If there is less room, its last rows are cut. */
  least?: number
}

export type SpokenContext = {
  theme: Theme
  commands: readonly SlashCommand[]
  /** The state before, even if it is that of another conversation. */
  former: AppState
}

/** The panels of each region, from the top of the screen to the bottom. */
export type ScreenLayout<Frame = PanelFrame> = {
  /** All panels. Where there is too little room, the upper rows are left out and counted. */
  conversation: readonly Panel<Frame>[]
  /** What goes on, below a blank row. It divides its room itself: `rowEach`. */
  progress: (frame: Frame, room: number) => readonly ShownPiece[]
  /** The first panel that has something to show. It gets its rows before all other regions, and has the caret. */
  input: readonly Panel<Frame>[]
  /** The first panel that has something to show. Where there is too little room, its last rows are left out. */
  below: readonly Panel<Frame>[]
}

export type ShownPiece = Required<PanelPiece> & { panel: string }

/** The screen below the scrollback. Unchanged pieces are the same objects as in the last frame. */
export type LiveZone = Readonly<Record<keyof ScreenLayout, readonly ShownPiece[]>> & {
  /** The caret's place in it, from its upper left corner. */
  cursor: { x: number; y: number }
}

/** The height of the screen below which the upper regions have no room. */
const LOW = 8

export const isLow = ({ rows }: Pick<Size, 'rows'>): boolean => rows < LOW

/** Rows that `below` leaves to the regions above: a blank one, and one more. */
const LEAST_ABOVE = 2

/** Divides the rows from the bottom to the top: the upper regions get what is left. */
export function layOut<Frame extends PanelFrame>(layout: ScreenLayout<Frame>, frame: Frame): LiveZone {
  const low = isLow(frame)
  let left = Math.max(1, frame.rows - 1)
  const input = firstOf(layout.input, frame, left)
  left -= input.rows.length
  const below = firstOf(layout.below, frame, left - (low ? 0 : LEAST_ABOVE))
  const under = below.rows.slice(0, Math.max(0, left))
  left -= under.length
  // At least one row separates the input from the scrollback.
  const gap = left > 0
  left -= gap ? 1 : 0
  const progress = low ? [] : layout.progress(frame, left)
  left -= heightOf(progress)
  const conversation = low ? [] : conversationOf(layout.conversation, frame, left)
  return {
    conversation,
    progress,
    input: [pieceOf(input.panel, { gap, rows: input.rows }, frame)],
    below: under.length > 0 ? [pieceOf(below.panel, { rows: under }, frame)] : [],
    cursor: {
      x: Math.min(input.caret.column, frame.columns - 1),
      y: heightOf(conversation) + heightOf(progress) + (gap ? 1 : 0) + input.caret.row,
    },
  }
}

/** The first panel that has something to show. */
export function firstOf<Frame extends PanelFrame>(
  panels: readonly Panel<Frame>[],
  frame: Frame,
  room: number,
): { panel: string; rows: readonly Styled[]; caret: NonNullable<DrawnPanel['caret']> } {
  const none = { row: 0, column: 0 }
  for (const { name, draw, least = 1 } of panels) {
    const height = Math.max(least, room)
    const shown = draw(frame, height, height)
    if (shown) return { panel: name, rows: shown.pieces.flatMap(piece => piece.rows), caret: shown.caret ?? none }
  }
  return { panel: '', rows: [], caret: none }
}

/** The pieces of all panels, or the last rows that fit, below one that counts the others. */
function conversationOf<Frame extends PanelFrame>(
  panels: readonly Panel<Frame>[],
  frame: Frame,
  room: number,
): readonly ShownPiece[] {
  const pieces: ShownPiece[] = []
  let hidden = 0
  for (const { name, draw } of panels) {
    const shown = draw(frame, room, room - heightOf(pieces))
    hidden += shown?.hidden ?? 0
    for (const piece of shown?.pieces ?? []) pieces.push(pieceOf(name, piece, frame))
  }
  const all = heightOf(pieces)
  if (all <= room && hidden === 0) return pieces
  if (room <= 0) return []
  const [first] = pieces
  // The blank row above them stays if there is room.
  const gap = room > 3 && (first?.gap === true || first?.rows[0] === empty)
  const kept = lastRows(pieces, room - (gap ? 2 : 1))
  const words = hidden === 0 ? `+${all - (gap ? 1 : 0) - heightOf(kept)} lines above` : `+${hidden} unfinished above`
  return [pieceOf('omitted', { gap, rows: [frame.theme.dim(sanitize(`  ${words}`))] }, frame), ...kept]
}

function lastRows(pieces: readonly ShownPiece[], count: number): ShownPiece[] {
  const kept: ShownPiece[] = []
  let left = count
  for (const piece of pieces.toReversed()) {
    if (left <= 0) break
    const rows = piece.rows.slice(-left)
    left -= rows.length
    const gap = piece.gap && left > 0
    left -= gap ? 1 : 0
    kept.unshift({ ...piece, gap, rows })
  }
  return kept
}

/** A piece, none of whose rows is wider than the screen. */
export function pieceOf(
  panel: string,
  { key = '', gap = false, rows }: PanelPiece,
  { theme, columns }: PanelFrame,
): ShownPiece {
  return { panel, key: panel + key, gap, rows: fitted(rows, columns, theme.signs.ellipsis) }
}

/** A panel that is nothing but rows; null if there are none. */
export function rowsOnly(rows: readonly Styled[], gap = false): DrawnPanel | null {
  return rows.length === 0 ? null : { pieces: [{ gap, rows }] }
}

/** All rows of the zone from the top, as its components draw them. */
export function linesOfLive({ conversation, progress, input, below }: LiveZone): readonly Styled[] {
  return linesOf([...conversation, ...progress, ...input, ...below])
}

function linesOf(pieces: readonly ShownPiece[]): Styled[] {
  return pieces.flatMap(({ gap, rows }) => (gap ? [empty, ...rows] : rows))
}

const heightOf = (pieces: readonly ShownPiece[]): number => linesOf(pieces).length

/** The rows above the caret in the zone, and the most that the screen can show above it. */
export function caretIn(live: LiveZone, screen: { rows: number }): { rows: number; most: number } {
  const { y } = live.cursor
  // The caret's row, the rows below it and the blank row at the end are not counted.
  return { rows: y, most: screen.rows - (linesOfLive(live).length - y) - 1 }
}

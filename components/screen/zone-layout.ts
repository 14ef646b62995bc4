/**
 * The live zone: everything below the scrollback, which still changes. It is always lower than the terminal, because a
 * taller one would leave copies in the scrollback. Rows that do not fit become `+N`. This file says which parts it has,
 * and divides the rows among them; the first frame needs it before the functions that draw a conversation are loaded.
 */
import { sanitize } from '../../src/text/sanitize.ts'
import type { Ellipsis } from '../../src/text/lines/shorten.ts'
import { empty, fitted, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'

/** The theme, and the size of the terminal. */
export type ZoneContext = { theme: Theme; columns: number; rows: number }

/** A part of the open turn, from the top. */
export type OpenPiece = {
  /** The header, a growing text, the panel of a call, or the number of rows that do not fit. */
  kind: 'header' | 'text' | 'panel' | 'omitted'
  /** The key of the part, the same in each frame. */
  key: string
  /** Whether a blank row precedes it. */
  gap: boolean
  rows: readonly Styled[]
}

/** The part below the composer, by its kind. */
export type BelowComposer =
  | { kind: 'status'; text: Styled; custom: Styled | null }
  | { kind: 'hint'; rows: readonly Styled[] }
  | { kind: 'popup'; rows: readonly Styled[] }
  | { kind: 'picker'; rows: readonly Styled[] }
  | { kind: 'question'; rows: readonly Styled[] }
  | { kind: 'key-debug'; title: Styled; rows: readonly Styled[] }

/** The live zone, cut to its size. Unchanged parts are the same objects as in the last frame. */
export type LiveZone = {
  open: readonly OpenPiece[]
  working: {
    gap: boolean
    line: Styled | null
    /** The same for the user's own command. */
    command: Styled | null
    queue: Styled | null
    /** Another conversation that asks something or has ended. */
    news: Styled | null
  }
  /** The composer, or the question in its place. */
  composer: { kind: 'composer' | 'question'; gap: boolean; rows: readonly Styled[] }
  below: BelowComposer | null
  /** The caret's place in the live zone, from its upper left corner. */
  cursor: { x: number; y: number }
}

/** All rows of the live zone from the top, as its components draw them. */
export function linesOfLive({ open, working, composer, below }: LiveZone): Styled[] {
  const parts = [...open, { gap: working.gap, rows: workingRows(working) }, composer]
  return [...parts.flatMap(withGap), ...(below ? rowsOfBelow(below) : [])]
}

function withGap({ gap, rows }: Pick<OpenPiece, 'gap' | 'rows'>): readonly Styled[] {
  return gap ? [empty, ...rows] : rows
}

export function workingRows({ line, command, queue, news }: LiveZone['working']): Styled[] {
  return [line, command, queue, news].filter(row => row !== null)
}

/** The height in rows below which only the composer and the status fit. */
export const SMALL = 8

/** The zone without any row. */
export const emptyZone: LiveZone = {
  open: [],
  working: { gap: false, line: null, command: null, queue: null, news: null },
  composer: { kind: 'composer', gap: false, rows: [] },
  below: null,
  cursor: { x: 0, y: 0 },
}

/** The composer or what stands in its place, and the part below it. */
export type ZoneParts = {
  box: { lines: Styled[]; row: number; column: number }
  isQuestion: boolean
  below: BelowComposer
}

/** Arranges the parts from the bottom to the top: the upper ones get the rows that are left. */
export function layOutZone(
  { box, isQuestion, below: wanted }: ZoneParts,
  { theme, columns, rows }: ZoneContext,
  workingFor: (room: number) => LiveZone['working'],
  openFor: (room: number) => readonly OpenPiece[],
): LiveZone {
  const room = Math.max(1, rows - 1)
  const small = rows < SMALL
  const below = cutBelow(small && wanted.kind === 'status' ? { ...wanted, custom: null } : wanted, {
    columns,
    room: room - box.lines.length,
    ellipsis: theme.signs.ellipsis,
  })
  const belowCount = below ? rowsOfBelow(below).length : 0
  let left = room - box.lines.length - belowCount
  // At least one line separates the composer from the scrollback.
  const gap = left > 0
  left -= gap ? 1 : 0
  const working = small ? emptyZone.working : workingFor(left)
  const workingHeight = heightOf({ gap: working.gap, rows: workingRows(working) })
  left -= workingHeight
  const open = small ? [] : openFor(left)
  const above = heights(open) + workingHeight + (gap ? 1 : 0)
  return {
    open,
    working,
    composer: { kind: isQuestion ? 'question' : 'composer', gap, rows: fitted(box.lines, columns) },
    below,
    cursor: { x: Math.min(box.column, columns - 1), y: above + box.row },
  }
}

/** The rows above the caret in the live zone, and the most that the screen can show above it. */
export function caretIn(live: LiveZone, screen: { rows: number }): { rows: number; most: number } {
  const { y } = live.cursor
  // The caret's row, the rows below it and the blank row at the end are not counted.
  return { rows: y, most: screen.rows - (linesOfLive(live).length - y) - 1 }
}

/** The most rows of the composer. */
export const mostComposerRows = (rows: number): number => Math.max(1, Math.floor(rows / 3))

/** The header as the first part; none if it has no rows. */
export function headerPieces(rows: readonly Styled[]): OpenPiece[] {
  return rows.length === 0 ? [] : [{ kind: 'header', key: 'header', gap: false, rows }]
}

const heightOf = ({ gap, rows }: Pick<OpenPiece, 'gap' | 'rows'>): number => rows.length + (gap ? 1 : 0)

const heights = (pieces: readonly OpenPiece[]): number => pieces.reduce((sum, piece) => sum + heightOf(piece), 0)

/** All rows below the composer, from the top. */
export function rowsOfBelow(below: BelowComposer): readonly Styled[] {
  if (below.kind === 'status') return below.custom === null ? [below.text] : [below.text, below.custom]
  return below.kind === 'key-debug' ? [below.title, ...below.rows] : below.rows
}

/** The key debugger, its first row being the title. */
export function keyDebugPart([title = empty, ...rows]: readonly Styled[]): BelowComposer {
  return { kind: 'key-debug', title, rows }
}

/** The first rows that have room, none wider than the screen; null if there is no room. */
function cutBelow(
  below: BelowComposer,
  { columns, room, ellipsis }: { columns: number; room: number; ellipsis: Ellipsis },
): BelowComposer | null {
  const shown = fitted(rowsOfBelow(below).slice(0, Math.max(0, room)), columns, ellipsis)
  const [first, custom = null] = shown
  if (first === undefined) return null
  if (below.kind === 'status') return { ...below, text: first, custom }
  return below.kind === 'key-debug' ? keyDebugPart(shown) : { ...below, rows: shown }
}

/** The last rows that fit, below one that counts the others. `hidden` parts have not been drawn at all. */
export function fitToRoom(
  pieces: readonly OpenPiece[],
  room: number,
  hidden: number,
  { theme, columns }: ZoneContext,
): readonly OpenPiece[] {
  const all = heights(pieces)
  const fit = (piece: OpenPiece): OpenPiece => ({ ...piece, rows: fitted(piece.rows, columns, theme.signs.ellipsis) })
  if (all <= room && hidden === 0) return pieces.map(fit)
  if (room <= 0) return []
  const [first] = pieces
  // The blank row above them stays if there is room.
  const gap = room > 3 && (first?.gap === true || first?.rows[0] === empty)
  const shown = room - (gap ? 2 : 1)
  const kept = lastRows(pieces, shown)
  const words = hidden === 0 ? `+${all - (gap ? 1 : 0) - heights(kept)} lines above` : `+${hidden} unfinished above`
  const rows = [theme.dim(sanitize(`  ${words}`))]
  return [{ kind: 'omitted', key: 'omitted', gap, rows } as const, ...kept].map(fit)
}

function lastRows(pieces: readonly OpenPiece[], count: number): OpenPiece[] {
  const kept: OpenPiece[] = []
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

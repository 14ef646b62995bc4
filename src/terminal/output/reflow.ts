/** Reflow by terminal, and the place of our frame after a resize. Pure. */
import { rowsOf, type Reflow } from '../../text/lines/reflow.ts'
import { empty, type Styled } from '../../text/styled.ts'
import type { Size } from '../../text/lines/width.ts'

/** Asks the terminal for its name (XTVERSION), and for its kind and version (DA2), which older ones answer too. */
export const ASK_NAME = '\u001B[>q\u001B[>c'

/** The reflow by the name that a terminal reports. Multiplexers answer for themselves. */
const byName: readonly (readonly [RegExp, Reflow])[] = [
  [/^XTerm\(/, 'cuts'],
  [/^xterm\.js/i, 'sinks'],
  [/^(?:kitty|foot|WezTerm|ghostty|iTerm2|Konsole|mintty|VTE|contour|tmux|alacritty|rio|Windows Terminal)\b/i, 'wraps'],
]

/** The reflow by the answer to DA2, whose numbers differ between terminals. */
const byKind: readonly (readonly [RegExp, Reflow])[] = [
  // xterm, GNU screen and PuTTY.
  [/^(?:41|83);|^0;136;0$/, 'cuts'],
  // xterm.js; VS Code's is one.
  [/^0;276;0$/, 'sinks'],
  // tmux, mintty, VTE, iTerm2, Windows Terminal, Konsole, Alacritty, kitty, foot, Ghostty, WezTerm and Apple's Terminal.
  [/^(?:84|77|61|65|64);|^0;10;1$|^[01];115;|^0;\d{3,};1$|^1;4\d{3};|^1;\d{6};|^1;10;|^1;277;|^[01];95;/, 'wraps'],
]

/** The reflow of the terminal that answered `ASK_NAME`; null for an unknown one. */
export function reflowByAnswer(reply: string): Reflow | null {
  const name = /^\u001BP>\|([^\u001B]*)/.exec(reply)?.[1]
  const kind = /^\u001B\[>([\d;]*)c$/.exec(reply)?.[1]
  const found = (name !== undefined && among(byName, name)) || (kind !== undefined && among(byKind, kind))
  return found || null
}

function among(known: readonly (readonly [RegExp, Reflow])[], answer: string): Reflow | null {
  return known.find(([pattern]) => pattern.test(answer))?.[1] ?? null
}

/** The fewest columns and rows while the size changed, and whether it changed only once. */
export type LeastSize = Size & { isOneStep: boolean }

/** A frame drawn for another width: the columns now, and the least number of its rows below the cursor. */
export type Resize = { columns: number; kept: number; reflow: Reflow }

/** The known place of a frame: the free rows below it (null if unknown), and the least number of rows that left the screen. */
type FramePlace = { free: number | null; scrolled: number }

/**
 * The number of rows below the cursor that xterm.js is certain to keep. It drops rows there when it becomes lower and, until
 * something has scrolled away, when more rows come in than are free. `least` is the smallest size during the resize. In one step
 * it wraps all rows before it drops any of them for those that come in.
 */
export function keptBelow(below: number, { free, scrolled }: FramePlace, from: Size, least: LeastSize): number {
  const lost = Math.max(0, from.rows - least.rows)
  if (least.isOneStep) return Math.max(0, below - Math.max(0, lost - (free ?? 0)))
  if (free === null) return 0
  if (scrolled >= from.rows) return Math.max(0, below - Math.max(0, lost - free))
  return lost + (from.rows - free) * (Math.ceil(from.columns / least.columns) - 1) <= free ? below : 0
}

/**
 * The number of rows from the start of a frame drawn before this resize to the cursor. Of two possible answers it is the lower
 * one: leaving a row of ours, the first of which is blank, is better than erasing one of the shell's.
 */
export function rowsAboveCursor(rows: readonly Styled[], { x, y }: { x: number; y: number }, resize: Resize): number {
  const { columns, kept, reflow } = resize
  if (reflow === 'cuts') return y
  const rowsNow = (row = empty): number => rowsOf(row, columns)
  if (reflow === 'sinks') return sunk(rows.slice(0, y + 1 + kept), y, rowsNow)
  // After writing the last column of a row, the cursor waits behind it.
  const isBehind = x > 0 && x >= (rows[y] ?? empty).width
  const inRow = Math.floor((isBehind ? x - 1 : x) / columns)
  return rows.slice(0, y).reduce((sum, row) => sum + rowsNow(row), inRow)
}

/**
 * As xterm.js does it: it wraps rows from the last one on, but not the one at which it believes the cursor to be, and moves
 * the cursor down for each row that comes in.
 */
function sunk(rows: readonly Styled[], y: number, rowsNow: (row?: Styled) => number): number {
  let at = y
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    if (row !== at) at += rowsNow(rows[row]) - 1
  }
  return at
}

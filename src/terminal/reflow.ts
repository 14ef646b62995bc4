/** How a terminal changes what stands on it when its size changes, and where our frame is then. Pure. */
import { rowsOf, type Reflow } from '../text/reflow.ts'
import { displayWidth } from '../text/width.ts'

type Size = { columns: number; rows: number }

/** Asks for its name (XTVERSION), and for its kind and version (DA2), which older ones answer too. */
export const ASK_NAME = '\u001B[>q\u001B[>c'

/** By the name that a terminal gives itself. The multiplexers answer for what they show. */
const byName: readonly (readonly [RegExp, Reflow])[] = [
  [/^XTerm\(/, 'cuts'],
  [/^xterm\.js/i, 'sinks'],
  [/^(?:kitty|foot|WezTerm|ghostty|iTerm2|Konsole|mintty|VTE|contour|tmux|alacritty|rio|Windows Terminal)\b/i, 'wraps'],
]

/** By what they answer to DA2: these numbers are their own. */
const byKind: readonly (readonly [RegExp, Reflow])[] = [
  // xterm, GNU screen and PuTTY.
  [/^(?:41|83);|^0;136;0$/, 'cuts'],
  // xterm.js; VS Code's is one.
  [/^0;276;0$/, 'sinks'],
  // tmux, mintty, VTE, iTerm2, Windows Terminal, Konsole, Alacritty, kitty, foot, Ghostty, WezTerm and Apple's Terminal.
  [/^(?:84|77|61|65|64);|^0;10;1$|^[01];115;|^0;\d{3,};1$|^1;4\d{3};|^1;\d{6};|^1;10;|^1;277;|^[01];95;/, 'wraps'],
]

/** What an answer to `ASK_NAME` says of it; null where that is nothing. */
export function reflowByAnswer(reply: string): Reflow | null {
  const name = /^\u001BP>\|([^\u001B]*)/.exec(reply)?.[1]
  const kind = /^\u001B\[>([\d;]*)c$/.exec(reply)?.[1]
  const found = (name !== undefined && among(byName, name)) || (kind !== undefined && among(byKind, kind))
  return found || null
}

function among(known: readonly (readonly [RegExp, Reflow])[], answer: string): Reflow | null {
  return known.find(([pattern]) => pattern.test(answer))?.[1] ?? null
}

/** Where the cursor stands, counted from 0, in an answer to `CSI 6n`; null where it is none. */
export function parsePlace(reply: string): { x: number; y: number } | null {
  const [, row, column] = /^\u001B\[(\d+);(\d+)R$/.exec(reply) ?? []
  return row === undefined ? null : { x: Number(column) - 1, y: Number(row) - 1 }
}

export type Resize = { from: Size; to: Size; reflow: Reflow }

/**
 * How many rows above the cursor a frame begins that was drawn before this resize. Where two answers are possible it is the
 * lower one: a row of ours that stays is better than one that was not ours to erase.
 */
export function rowsAboveCursor(rows: readonly string[], { x, y }: { x: number; y: number }, resize: Resize): number {
  const { from, to, reflow } = resize
  if (reflow === 'cuts') return y
  if (reflow === 'sinks') return sunk(rows, y, from.rows - to.rows, to.columns)
  const above = rows.slice(0, y).reduce((sum, row) => sum + rowsOf(row, to.columns), 0)
  // Behind the last column of a full row a cursor waits there.
  const isBehind = x > 0 && x >= displayWidth(rows[y] ?? '')
  return above + Math.floor((isBehind ? x - 1 : x) / to.columns)
}

/**
 * As xterm.js does it: lower, it takes rows off below the cursor; then it wraps rows from the last one on, but not the one
 * at which it believes the cursor to be, and moves the cursor down for each row that comes in.
 */
function sunk(rows: readonly string[], y: number, lost: number, columns: number): number {
  const last = Math.max(y, rows.length - 1 - Math.max(0, lost))
  let at = y
  for (let row = last; row >= 0; row -= 1) {
    if (row !== at) at += rowsOf(rows[row] ?? '', columns) - 1
  }
  return at
}

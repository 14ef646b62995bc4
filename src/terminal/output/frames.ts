/**
 * Draws frames as changes to what the terminal shows. A frame is the live zone: rows at the end of all that was printed, the
 * last of them empty, and the caret's place in it. Before a frame, finished rows may be put above it for good.
 *
 * Three things make it cheap: of a row only what differs is written; rows that move down because something came above them
 * are moved by the terminal (`CSI n L` after as many line feeds, so that what leaves the screen goes to the scrollback);
 * and rows that stay are not touched.
 */
import { empty, trimEndOf, type Styled } from '../../text/styled.ts'
import { paintLine } from './paint.ts'
import { rowsAboveCursor, type Resize } from './reflow.ts'
import { bandOf, rowPatches } from './row.ts'

export type CursorPlace = { x: number; y: number }

const ESC = '\u001B['
/**
 * Down a row, also from the last one, as a line feed: a terminal that has just become lower has taken rows off below the
 * cursor, and a frame that was on its way then must not come out higher than it was meant to.
 */
const INDEX = '\u001BD'
/**
 * All from the start of this row on, in two steps: tmux keeps a copy in its scrollback of a screen that is erased from its
 * first cell on.
 */
export const ERASE_BELOW = '\u001B7\u001B[K\u001B[B\u001B[J\u001B8'

export class FrameEncoder {
  /** The rows of the zone as the terminal shows them, and where its cursor is. */
  #shown: readonly Styled[] = [empty]
  #cursor: CursorPlace = { x: 0, y: 0 }
  #out = ''

  /** The rows of the zone, as last drawn. */
  get zone(): readonly Styled[] {
    return this.#shown
  }

  /** Forgets the frame: the cursor is at the start of an empty row, and nothing of ours is below it. */
  reset(): void {
    this.#shown = [empty]
    this.#cursor = { x: 0, y: 0 }
  }

  /** The number of its rows below the cursor. */
  get below(): number {
    return this.#shown.length - 1 - this.#cursor.y
  }

  /** Whether something of the frame is on the screen. */
  get isShown(): boolean {
    return this.#shown.length > 1 || this.#shown[0] !== empty
  }

  /** Bytes that take the frame off the screen, with the cursor where it began; none where nothing of it is there. */
  erase(): string {
    if (!this.isShown) return ''
    this.#moveTo(0, 0)
    this.#out += ERASE_BELOW
    this.reset()
    return this.#take()
  }

  /** The same in a terminal that has another size, with so many rows, since the frame was drawn. */
  eraseResized(resize: Resize, rows: number): string {
    if (!this.isShown) return ''
    const up = Math.min(rows - 1, rowsAboveCursor(this.#shown, this.#cursor, resize))
    this.reset()
    return `\r${up > 0 ? `${ESC}${up}A` : ''}${ERASE_BELOW}`
  }

  /** Bytes that put the cursor behind the frame, which stays. */
  leave(): string {
    this.#moveTo(this.#shown.length - 1, 0)
    this.reset()
    return this.#take()
  }

  /**
   * Bytes that print `finished` above the zone and show `zone`, in a terminal of so many rows; 0 where the terminal wraps
   * some of them, so that nobody knows how many there are. `bands` are the columns of one that fills bands itself, else 0.
   */
  draw(finished: readonly Styled[], zone: readonly Styled[], caret: CursorPlace, rows: number, bands = 0): string {
    const target = [...finished, ...zone]
    if (target.length > rows || this.#shown.length > rows) this.#rewrite(finished, zone, bands)
    else this.#change(target, finished.length, bands)
    this.#shown = zone
    this.#cursor = { x: this.#cursor.x, y: this.#cursor.y - finished.length }
    this.#moveTo(Math.min(caret.y, zone.length - 1), caret.x)
    return this.#take()
  }

  /**
   * Bytes that draw `bytes` from a cell on, so many rows above the frame; the cursor stays where it is. Nothing where that
   * cell has left a terminal of so many rows.
   */
  drawAbove({ up, x, bytes }: { up: number; x: number; bytes: string }, rows: number): string {
    if (this.#shown.length + up >= rows) return ''
    return `\u001B7${ESC}${this.#cursor.y + up}A${ESC}${x + 1}G${bytes}\u001B8`
  }

  /** Bytes that write `bytes` on the empty row behind the frame, which they leave empty; the cursor is then where it was. */
  aside(bytes: string): string {
    const { x, y } = this.#cursor
    const last = this.#shown.length - 1
    this.#moveTo(last, 0)
    this.#out += bytes
    this.#cursor = { x: NOWHERE, y: last }
    this.#moveTo(y, Math.max(0, x))
    return this.#take()
  }

  #take(): string {
    const bytes = this.#out
    this.#out = ''
    return bytes
  }

  /** Writes everything again: more has come than the screen holds. */
  #rewrite(finished: readonly Styled[], zone: readonly Styled[], bands: number): void {
    const rows = [...finished.map(row => finishedRow(row, bands)), ...zone.map(row => finishedRow(row, 0))]
    this.#moveTo(0, 0)
    this.#out += `${ESC}J${rows.join('\r\n')}`
    this.#cursor = { x: NOWHERE, y: rows.length - 1 }
  }

  #change(target: readonly Styled[], finished: number, bands: number): void {
    const more = target.length - this.#shown.length
    const at = splitFor(this.#shown, target)
    const moved = more > 0 ? this.#insert(at, more) : more < 0 ? this.#remove(at, -more) : this.#shown
    for (const [row, text] of target.entries()) {
      if (row < finished && bandOf(text, bands)) this.#writeRow(row, finishedRow(text, bands))
      else this.#changeRow(row, moved[row] ?? empty, text)
    }
  }

  #insert(at: number, count: number): Styled[] {
    const last = this.#shown.length - 1
    this.#moveTo(last, 0)
    this.#out += '\n'.repeat(count)
    this.#cursor = { x: NOWHERE, y: last + count }
    if (at <= last) {
      this.#moveTo(at, 0)
      this.#out += `${ESC}${count === 1 ? '' : count}L`
    }
    return [...this.#shown.slice(0, at), ...Array.from({ length: count }, () => empty), ...this.#shown.slice(at)]
  }

  #remove(at: number, count: number): Styled[] {
    this.#moveTo(at, 0)
    this.#out += `${ESC}${count === 1 ? '' : count}M`
    return [...this.#shown.slice(0, at), ...this.#shown.slice(at + count)]
  }

  /** A row as a whole, which erases what stands behind it. */
  #writeRow(row: number, text: string): void {
    this.#moveTo(row, 0)
    this.#out += text
    this.#cursor = { x: NOWHERE, y: row }
  }

  #changeRow(row: number, from: Styled, to: Styled): void {
    for (const { column, text, end, eraseRest } of rowPatches(from, to)) {
      this.#moveTo(row, column)
      this.#out += text + (eraseRest ? `${ESC}K` : '')
      this.#cursor = { x: end ?? NOWHERE, y: row }
    }
  }

  #moveTo(y: number, x: number): void {
    const down = y - this.#cursor.y
    const isThere = x === this.#cursor.x
    // The column after a line feed depends on the terminal's settings.
    if (down > 0) this.#out += (isThere ? INDEX : '\n').repeat(down)
    if (down < 0) this.#out += `${ESC}${down === -1 ? '' : -down}A`
    if (!isThere) this.#out += x === 0 ? '\r' : `${ESC}${x + 1}G`
    this.#cursor = { x, y }
  }
}

/** A row that stays, in a terminal that fills bands itself in so many columns; 0 where it does not. */
export function finishedRow(row: Styled, bands: number): string {
  const band = bandOf(row, bands)
  return band ? paintLine(band.text) + band.fill : paintLine(trimEndOf(row))
}

/** A column that no move counts on: the cursor may wait behind the last one. */
const NOWHERE = -1

/**
 * The place where rows are added or removed: those before keep their place from the top, those after it from the bottom. The place is the
 * one that leaves most rows as they are.
 */
function splitFor(from: readonly Styled[], to: readonly Styled[]): number {
  const shared = Math.min(from.length, to.length)
  const shift = to.length - from.length
  let best = shared
  let bestCount = -1
  let above = 0
  let below = 0
  for (let row = 0; row < shared; row += 1) below += sameAfter(from, to, row, shift)
  for (let at = 0; at <= shared; at += 1) {
    if (above + below > bestCount) {
      bestCount = above + below
      best = at
    }
    if (at === shared) break
    above += weight(from[at], to[at])
    below -= sameAfter(from, to, at, shift)
  }
  return best
}

/** Whether row `row` of the shorter list is the same when counted from the bottom. */
function sameAfter(from: readonly Styled[], to: readonly Styled[], row: number, shift: number): number {
  return shift >= 0 ? weight(from[row], to[row + shift]) : weight(from[row - shift], to[row])
}

/** Equal rows are worth what writing them would cost; rows that begin alike, a part of it. */
function weight(one = empty, other = empty): number {
  const a = paintLine(one)
  if (one === other) return a.length + 1
  const b = paintLine(other)
  if (a === b) return a.length + 1
  const length = Math.min(a.length, b.length)
  let same = 0
  while (same < length && a[same] === b[same]) same += 1
  return same / 2
}

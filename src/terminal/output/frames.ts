/**
 * Draws frames as changes to what the terminal shows. A frame is the live zone: rows at the end of all that was printed, the
 * last of them empty, and the caret's place in it. Before a frame, finished rows may be put above it for good.
 *
 * Three things make it cheap: only the changed parts of a row are written; rows that move down are moved by the terminal
 * (`CSI n L` after as many line feeds, so that what leaves the screen goes to the scrollback); and rows that stay are not
 * touched.
 */
import { empty, plainStyle, trimEndOf, type Styled } from '../../text/styled.ts'
import { paintLine } from './paint.ts'
import { rowsAboveCursor, type Resize } from './reflow.ts'
import { bandOf, rowPatches } from './row.ts'

export type CursorPlace = { x: number; y: number }

const ESC = '\u001B['
/**
 * Moves down a row with a line feed, which also works in the last row. A terminal that has just become lower has removed rows
 * below the cursor, and a frame that was already on its way must not appear higher than intended.
 */
const INDEX = '\u001BD'
/**
 * Erases everything from the start of this row on, in two steps: tmux copies a screen into its scrollback if it is erased from
 * its first cell on.
 */
export const ERASE_BELOW = '\u001B7\u001B[K\u001B[B\u001B[J\u001B8'

export class FrameEncoder {
  /** The rows of the zone as the terminal shows them, and the place of its cursor. */
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

  /** Bytes that erase the frame and leave the cursor at its start; empty if no part of it is on the screen. */
  erase(): string {
    if (!this.isShown) return ''
    this.#moveTo(0, 0)
    this.#out += ERASE_BELOW
    this.reset()
    return this.#take()
  }

  /** Bytes that erase the frame in a terminal that was resized to `rows` rows since it was drawn. */
  eraseResized(resize: Resize, rows: number): string {
    if (!this.isShown) return ''
    const up = Math.min(rows - 1, rowsAboveCursor(this.#shown, this.#cursor, resize))
    this.reset()
    return `\r${up > 0 ? `${ESC}${up}A` : ''}${ERASE_BELOW}`
  }

  /** Bytes that move the cursor below the frame, which stays. */
  leave(): string {
    this.#moveTo(this.#shown.length - 1, 0)
    this.reset()
    return this.#take()
  }

  /**
   * Bytes that print `finished` above the zone and show `zone`. `rows` are those of the terminal; 0 if it wraps some of the
   * frame's, so that their number is unknown. `bands` are the columns of a terminal that fills bands itself, else 0.
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
   * Bytes that draw `bytes` at a cell `up` rows above the frame and leave the cursor where it is; empty if that cell
   * has left the screen.
   */
  drawAbove({ up, x, bytes }: { up: number; x: number; bytes: string }, rows: number): string {
    if (this.#shown.length + up >= rows) return ''
    return `\u001B7${ESC}${this.#cursor.y + up}A${ESC}${x + 1}G${bytes}\u001B8`
  }

  /** Bytes that write `bytes` on the row below the frame, which must stay empty. The cursor stays where it was. */
  belowFrame(bytes: string): string {
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

  /** Writes everything again, since more was printed than the screen holds. */
  #rewrite(finished: readonly Styled[], zone: readonly Styled[], bands: number): void {
    const rows = [...finished.map(row => finishedRow(row, bands)), ...zone.map(row => finishedRow(row, bands))]
    this.#moveTo(0, 0)
    this.#out += `${ERASE_BELOW}${rows.join('\r\n')}`
    this.#cursor = { x: NOWHERE, y: rows.length - 1 }
  }

  #change(target: readonly Styled[], finished: number, bands: number): void {
    const more = target.length - this.#shown.length
    const at = splitFor(this.#shown, target)
    const moved = more > 0 ? this.#insert(at, more) : more < 0 ? this.#remove(at, -more) : this.#shown
    for (const [row, text] of target.entries()) {
      if (row < finished && bandOf(text, bands)) this.#writeRow(row, finishedRow(text, bands))
      else this.#changeRow(row, moved[row] ?? empty, text, bands)
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

  /** Writes a whole row and erases the rest of the line. */
  #writeRow(row: number, text: string): void {
    this.#moveTo(row, 0)
    this.#out += text
    this.#cursor = { x: NOWHERE, y: row }
  }

  #changeRow(row: number, from: Styled, to: Styled, bands: number): void {
    for (const { column, text, end, eraseRest } of rowPatches(from, to, bands)) {
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

/** The bytes of a row that stays. `bands` are the columns of a terminal that fills bands itself, else 0. */
export function finishedRow(row: Styled, bands: number): string {
  const band = bandOf(row, bands)
  return band ? paintLine(band.text) + band.fill : paintLine(trimEndOf(row))
}

/** The zone with the blank row below everything, if the screen has room for it. */
export function withBlank(zone: readonly Styled[], rows: number): readonly Styled[] {
  return rows > 1 ? [...zone, empty] : zone
}

/** The bytes that switch a style on and off, about. */
const SWITCHES = 10

/** An unknown column: after the last one is written, the cursor may wait behind it. */
const NOWHERE = -1

/**
 * The place where rows are added or removed. Rows before it keep their distance from the top, rows after it that from the bottom.
 * It is chosen so that most rows stay.
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

/** The weight of row `row` of the shorter list, compared with the row at the same distance from the bottom. */
function sameAfter(from: readonly Styled[], to: readonly Styled[], row: number, shift: number): number {
  return shift >= 0 ? weight(from[row], to[row + shift]) : weight(from[row - shift], to[row])
}

/** About the cost of writing equal rows; for rows that begin alike, a part of it. */
function weight(one = empty, other = empty): number {
  const { length } = one.spans
  let same = 0
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.spans[at], other.spans[at]]
    if (a?.style !== b?.style || a === undefined || b === undefined) return same / 2
    if (a !== b && a.text !== b.text) return (same + sharedStart(a.text, b.text)) / 2
    same += a.text.length + (a.style === plainStyle ? 0 : SWITCHES)
  }
  return length === other.spans.length ? same + 1 : same / 2
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same += 1
  return same
}

/**
 * Draws the alternate screen, which leaves the shell's screen as it was. All of its rows are ours, so only the changed parts of
 * each row are written.
 */
import { empty, type Styled } from '../../text/styled.ts'
import { rowPatches } from './row.ts'

const ESC = '\u001B['

const ENTER = `${ESC}?1049h`
/** Clicks and the wheel, in the encoding without an upper bound for coordinates. */
const MOUSE = `${ESC}?1000h${ESC}?1006h`
const LEAVE = `${ESC}?1006l${ESC}?1000l${ESC}?1049l`

/** The rows to show, none wider than the terminal, and the caret's place; null for no caret. */
export type AlternatePage = { rows: readonly Styled[]; caret: { x: number; y: number } | null }

export class AlternateEncoder {
  #shown: readonly Styled[] = []

  /** Forgets the shown rows: the screen is empty. */
  reset(): void {
    this.#shown = []
  }

  /** Bytes that clear the screen, so that the next page is drawn in full. */
  wipe(): string {
    this.#shown = []
    return `${ESC}H${ESC}J`
  }

  /** Bytes that show `page`. */
  draw({ rows, caret }: AlternatePage): string {
    const count = Math.max(rows.length, this.#shown.length)
    let out = ''
    for (let row = 0; row < count; row += 1) {
      for (const { column, text, eraseRest } of rowPatches(this.#shown[row] ?? empty, rows[row] ?? empty)) {
        out += `${ESC}${row + 1};${column + 1}H${text}${eraseRest ? `${ESC}K` : ''}`
      }
    }
    this.#shown = rows
    const place = caret ? `${ESC}${caret.y + 1};${caret.x + 1}H${ESC}?25h` : `${ESC}?25l`
    return out + place
  }
}

/**
 * The sequences that open an empty alternate screen and return to the shell's. `keys` switch kitty's keyboard protocol on and
 * off, for which each screen has its own stack. Leaving shows the caret again, which may have been hidden.
 */
export function alternateModes({ mouse, keys }: { mouse: boolean; keys: { push: string; pop: string } }): {
  enter: string
  leave: string
} {
  return {
    enter: `${ENTER}${keys.push}${mouse ? MOUSE : ''}${ESC}H${ESC}J`,
    leave: `${ESC}?25h${keys.pop}${LEAVE}`,
  }
}

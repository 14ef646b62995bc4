/**
 * The alternate screen: a second one beside that of the shell, which comes back as it was. All of its rows are ours, so
 * each has a fixed place, and only the changed parts of a row are written.
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
 * Opens it, empty, and goes back to the shell's screen. `keys` are what asks for kitty's way to tell keys, and what takes
 * that back: each screen has a stack of its own for it. The caret is shown again: it may have been hidden.
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

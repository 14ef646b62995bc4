/**
 * Tracks the number of empty rows below the frame. Only the terminal knows where the frame is, so it is asked once for the place
 * of its cursor (`CSI 6n`); from then on the number is computed. Nothing waits for the answer, which may never come.
 */

const ASK_PLACE = '\u001B[6n'

export type TerminalPlace = { x: number; y: number }

/** The cursor's place in an answer, counted from 0; null for another answer. */
export function parsePlace(reply: string): TerminalPlace | null {
  const [, row, column] = /^\u001B\[(\d+);(\d+)R$/.exec(reply) ?? []
  return row === undefined ? null : { x: Number(column) - 1, y: Number(row) - 1 }
}

export class RowsBelowFrame {
  /** The number of empty rows; null if unknown. */
  free: number | null = null
  /** The least number of rows that have scrolled off the screen. */
  scrolled = 0
  /** Whether the terminal has ever answered. */
  #answers = false
  /** Whether an answer is still to come. Until then no other question is asked, so that answers cannot be mixed up. */
  #waits = false
  /** The rows of the frame below the cursor at the time of the question, and the changes since. */
  #asked: { below: number; taken: number; least: number } | null = null
  /** The cursor's place before a resize, if it was asked for. */
  #stood: number | null = null

  /** Whether the place will soon be known: a terminal that has answered once will answer again. */
  get isComing(): boolean {
    return this.#answers && this.#asked !== null
  }

  /** Notes that the frame, or the output above it, became `rows` rows longer. */
  take(rows: number): void {
    if (this.free !== null) {
      this.scrolled += Math.max(0, rows - this.free)
      this.free = Math.max(0, this.free - rows)
    }
    if (!this.#asked) return
    this.#asked.taken += rows
    this.#asked.least = Math.max(0, this.#asked.least - rows)
  }

  /** Forgets the place of the frame. */
  forget(): void {
    this.free = null
    this.#asked = null
  }

  /**
   * Bytes that ask for the cursor's place, with `below` rows of the frame below it; empty if it is known or asked for.
   */
  ask(below: number): string {
    if (this.free !== null || this.#waits) return ''
    this.#asked = { below, taken: 0, least: Number.NEGATIVE_INFINITY }
    this.#waits = true
    return ASK_PLACE
  }

  /** Bytes that ask whether a resize moved the cursor, which was `below` rows above the end of the frame. */
  askMoved(below: number, rows: number): string {
    if (this.free === null || this.#waits) return ''
    this.#stood = rows - 1 - this.free - below
    this.#waits = true
    return ASK_PLACE
  }

  /** Takes the answer, in a terminal of `rows` rows. Returns whether a resize has moved the cursor. */
  takePlace({ y }: TerminalPlace, rows: number): boolean {
    if (!this.#waits) return false
    this.#answers = true
    const stood = this.#stood
    const free = this.#asked ? rows - 1 - y - this.#asked.below : -1
    if (this.#asked && free >= 0) {
      const { taken, least } = this.#asked
      this.free = Math.max(least, free - taken)
      this.scrolled += Math.max(0, taken - free)
    }
    this.#waits = false
    this.#asked = null
    this.#stood = null
    return stood !== null && y !== stood
  }
}

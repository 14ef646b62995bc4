import type { Size } from '../../text/lines/width.ts'
import type { LeastSize } from './reflow.ts'
import type { TerminalStream } from './terminal-writer.ts'

/** Milliseconds that the size must stay the same before drawing resumes. */
export const SETTLE = 120

/** Tracks whether the size of the terminal is changing, as while a window is dragged. */
export class SettlingSize {
  readonly #target: TerminalStream
  readonly #onSettled: () => void
  #timer: NodeJS.Timeout | null = null
  #least: LeastSize = { columns: 0, rows: 0, isOneStep: false }

  constructor(target: TerminalStream, onSettled: () => void) {
    this.#target = target
    this.#onSettled = onSettled
  }

  get isChanging(): boolean {
    return this.#timer !== null
  }

  /** Notes the size that the terminal has now. `before` is the one that was drawn for. */
  change(before: Size): void {
    const { columns, rows } = this.#target
    const { columns: least, rows: lowest } = this.#timer ? this.#least : before
    this.#least = {
      columns: Math.min(least, columns || least),
      rows: Math.min(lowest, rows || lowest),
      isOneStep: this.#timer === null,
    }
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onSettled, SETTLE)
  }

  /** Waits no longer. Returns the smallest size during the change; null if it did not change. */
  stop(): LeastSize | null {
    if (!this.#timer) return null
    clearTimeout(this.#timer)
    this.#timer = null
    return this.#least
  }

  /** Asks the terminal for its size; if that has changed, a resize is reported before this returns. */
  refresh(): void {
    const { _refreshSize: refresh } = this.#target as { _refreshSize?: () => void }
    refresh?.call(this.#target)
  }
}

import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'

export type TerminalStream = WriteStream & { readonly fd: number }

/** How long the size must stay the same before the screen is drawn anew. */
const SETTLE = 120

const SYNC_BEGIN = '\u001B[?2026h'
const SYNC_END = '\u001B[?2026l'

/**
 * Stands between Ink and the terminal, in the shape of a TTY write stream. Joins what Ink writes in one go into one write,
 * keeps a terminal size that changes only when a resize has settled, and knows when not to draw.
 *
 * It never drops what Ink writes in normal operation, because Ink draws differences to what it believes was shown. Who
 * draws asks `canDraw` first and keeps its changes to itself until `onReady`.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Bytes written to the terminal so far. */
  bytesWritten = 0
  /** Called when drawing is possible again, or when the screen must be drawn anew at a new size. */
  onReady: (() => void) | null = null
  onResize: (() => void) | null = null

  readonly #target: TerminalStream
  #pending = ''
  #scheduled = false
  #slow = false
  #discarding = false
  #settling: NodeJS.Timeout | null = null

  constructor(target: TerminalStream) {
    super({ decodeStrings: false })
    this.#target = target
    this.columns = target.columns || 80
    this.rows = target.rows || 24
    target.on('resize', this.#onResize)
    target.on('drain', this.#onDrain)
    // A terminal that has gone away: the hangup signal or the end of input says so, an error here adds nothing.
    target.on('error', () => undefined)
  }

  /** False while the size is changing or the terminal does not keep up. */
  canDraw(): boolean {
    return this.#settling === null && !this.#slow
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    if (!this.#discarding) this.#pending += chunk.toString()
    if (!this.#scheduled) {
      this.#scheduled = true
      queueMicrotask(() => this.flush())
    }
    callback()
  }

  /** Writes what has been gathered. */
  flush(): void {
    this.#scheduled = false
    if (this.#pending === '') return
    const data = this.#pending
    this.#pending = ''
    this.bytesWritten += Buffer.byteLength(data)
    if (!this.#target.write(data)) this.#slow = true
  }

  /** Writes what has been gathered and `data`, at once, whatever the event loop does. For the way out. */
  flushSync(data: string): void {
    const all = this.#pending + data
    this.#pending = ''
    try {
      writeSync(this.#target.fd, all)
    } catch {
      // The terminal is gone or full: there is nobody left to tell.
    }
  }

  /**
   * Draws the screen anew at the terminal's present size. `forget` makes Ink lay out its frame anew and forget that it was
   * shown, and gives what stands above it; what Ink writes for that is discarded. Then the `resize` event makes Ink draw one
   * whole frame below it. It gives also how many rows above the cursor that begins now, null for the top of the screen:
   * what the shell left above is not ours to wipe.
   */
  repaint(forget: () => { above: string; rows: number | null }): void {
    this.flush()
    this.columns = this.#target.columns || this.columns
    this.rows = this.#target.rows || this.rows
    this.#discarding = true
    const { above, rows } = forget()
    this.#discarding = false
    const start = rows === null ? '\u001B[H' : rows === 0 ? '\r' : `\u001B[${rows}F`
    this.#pending += `${SYNC_BEGIN}${start}\u001B[J${above}`
    this.emit('resize')
    this.#pending += SYNC_END
    this.flush()
  }

  /** Lets go of the terminal. */
  release(): void {
    if (this.#settling) clearTimeout(this.#settling)
    this.#settling = null
    this.#target.off('resize', this.#onResize)
    this.#target.off('drain', this.#onDrain)
  }

  readonly #onDrain = (): void => {
    this.#slow = false
    if (this.canDraw()) this.onReady?.()
  }

  readonly #onResize = (): void => {
    if (this.#settling) clearTimeout(this.#settling)
    else this.flush()
    this.#settling = setTimeout(() => {
      this.#settling = null
      this.onResize?.()
    }, SETTLE)
  }
}

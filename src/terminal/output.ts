import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { FrameEncoder } from './frames.ts'
import { readInkWrite, type InkWrite } from './ink-writes.ts'

export type TerminalStream = WriteStream & { readonly fd: number }

/** How long the size must stay the same before the screen is drawn anew. */
const SETTLE = 120

const SYNC_BEGIN = '\u001B[?2026h'
const SYNC_END = '\u001B[?2026l'

/** What is drawn over rows that were just written. */
export type Overlay = {
  /** Its first row, counted up from the end of the last finished rows. */
  up: number
  x: number
  bytes: string
  /** Takes it away from under the cursor, where erasing what it stands on does not. */
  wipe: string
}

/**
 * Stands between Ink and the terminal, in the shape of a TTY write stream. Draws Ink's frames as changes to what the
 * terminal shows, in one write, keeps a terminal size that changes only when a resize has settled, and knows when not to draw.
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
  readonly #encoder = new FrameEncoder()
  /** Takes away what the terminal itself echoed of keys that came before us. */
  #beginning = '\r\u001B[J'
  #pending: string[] = []
  /** To be drawn when the pending rows are; `row` counts in the finished ones among them. */
  #overlays: (Overlay & { row: number })[] = []
  /** What wipes the pictures that may be on the screen. */
  #wipe = ''
  #scheduled = false
  #slow = false
  #discarding = false
  #held = false
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

  /** False while the size is changing, the terminal does not keep up, or another program has it. */
  canDraw(): boolean {
    return this.#settling === null && !this.#slow && !this.#held
  }

  /** Writes what has been gathered, and then nothing: another program has the terminal. */
  hold(): void {
    this.flush()
    this.#held = true
    if (this.#settling) clearTimeout(this.#settling)
    this.#settling = null
  }

  /** The terminal is ours again, at the size that it has now; whoever draws has to draw a whole frame. */
  unhold(): void {
    this.#held = false
    this.columns = this.#target.columns || this.columns
    this.rows = this.#target.rows || this.rows
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    if (!this.#discarding && !this.#held) this.#pending.push(chunk.toString())
    if (!this.#scheduled) {
      this.#scheduled = true
      queueMicrotask(() => this.flush())
    }
    callback()
  }

  /**
   * Draws over finished rows that Ink has just written, in the same frame. Left out where they are not written: they were
   * discarded, or scroll away at once.
   */
  overlay(overlay: Overlay): void {
    if (this.#discarding || this.#held) return
    const writes = this.#pending.map(readInkWrite)
    const finished = writes.reduce((sum, write) => sum + (write?.kind === 'finished' ? write.rows.length : 0), 0)
    if (overlay.up <= finished) this.#overlays.push({ ...overlay, row: finished - overlay.up })
  }

  /** Writes what has been gathered, after `before`. */
  flush(before = ''): void {
    this.#scheduled = false
    const data = this.#encode(before)
    if (data === '') return
    this.bytesWritten += Buffer.byteLength(data)
    if (!this.#target.write(data)) this.#slow = true
  }

  /** Writes what has been gathered and `data`, at once, whatever the event loop does. For the way out. */
  flushSync(data: string): void {
    try {
      writeSync(this.#target.fd, this.#encode() + this.#encoder.leave() + data)
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
    this.#encoder.reset()
    this.emit('resize')
    this.flush(`${start}${this.#wiped()}\u001B[J${above}`)
  }

  /** Takes the pictures off the rows from the cursor on. */
  #wiped(): string {
    const wipe = this.#wipe
    this.#wipe = ''
    if (wipe === '') return ''
    return `\u001B7${Array.from({ length: this.rows }, () => wipe).join('\u001B[B')}\u001B8`
  }

  /** What Ink has written since the last time, as bytes; what comes before it goes into the same frame. */
  #encode(before = ''): string {
    const writes = this.#pending.map(readInkWrite).filter(write => write !== null)
    this.#pending = []
    const modes = writes.map(write => (write.kind === 'mode' ? write.sequence : '')).join('')
    const drawn = before + this.#draw(writes)
    if (drawn === '') return modes
    const beginning = this.#beginning
    this.#beginning = ''
    return modes + SYNC_BEGIN + beginning + drawn + SYNC_END
  }

  #draw(writes: readonly InkWrite[]): string {
    const finished = writes.flatMap(write => (write.kind === 'finished' ? write.rows : []))
    const frame = writes.findLast(write => write.kind === 'frame' || write.kind === 'caret')
    const left = writes.some(write => write.kind === 'leave')
    const zone = frame?.kind === 'frame' ? frame.rows : this.#encoder.zone
    const caret = frame?.kind === 'caret' ? { x: frame.x, y: zone.length - 1 - frame.up } : frame?.caret
    let bytes = ''
    if (caret) bytes = this.#encoder.draw(finished, zone, caret, this.rows)
    else if (finished.length > 0) bytes = `${this.#encoder.erase()}${finished.join('\r\n')}\r\n`
    else if (writes.some(write => write.kind === 'erase')) bytes = this.#encoder.erase()
    bytes += this.#drawOverlays(finished.length)
    return left ? bytes + this.#encoder.leave() : bytes
  }

  #drawOverlays(finished: number): string {
    const overlays = this.#overlays
    this.#overlays = []
    return overlays
      .map(({ row, x, bytes, wipe }) => {
        const drawn = this.#encoder.drawAbove({ up: finished - row, x, bytes }, this.rows)
        if (drawn !== '' && wipe !== '') this.#wipe = `\u001B[${x + 1}G${wipe}`
        return drawn
      })
      .join('')
  }

  /** Lets go of the terminal: nothing more is drawn. */
  release(): void {
    this.flush()
    this.#discarding = true
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
    if (this.#held) return
    if (this.#settling) clearTimeout(this.#settling)
    else this.flush()
    this.#settling = setTimeout(() => {
      this.#settling = null
      this.onResize?.()
    }, SETTLE)
  }
}

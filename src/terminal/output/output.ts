import { Writable } from 'node:stream'
import { AlternateEncoder, type AlternatePage } from './alternate.ts'
import type { Reflow } from '../../text/lines/reflow.ts'
import { ERASE_BELOW, finishedRow, FrameEncoder, withBlank } from './frames.ts'
import { FrameWriter } from './frame-writer.ts'
import type { ScreenDrawing } from './drawing.ts'
import { PictureOverlays } from './overlays.ts'
import { SETTLE, SettlingSize } from './settling-size.ts'
import type { TerminalStream } from './terminal-writer.ts'
import { keptBelow } from './reflow.ts'
import { RowsBelowFrame, type TerminalPlace } from './rows-below-frame.ts'

/**
 * The output side of the terminal. `draw` shows a frame as changes to what the terminal shows, in one write. The size
 * changes only when a resize has settled. Callers ask `canDraw` before they draw, and hold back changes until `onReady`.
 *
 * Ink reads its size from it as from a TTY write stream. The output of Ink itself is dropped.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Called when drawing is possible again, maybe at a new size. */
  onReady: (() => void) | null = null
  /** Called when a delayed repaint is possible. */
  onRepaint: (() => void) | null = null
  /** Called instead of `onReady` while the alternate screen is open. */
  onAlternate: (() => void) | null = null

  /** Whether to ask the terminal for the place of its cursor. */
  asksPlace = false
  readonly #target: TerminalStream
  readonly #frames: FrameWriter
  readonly #encoder = new FrameEncoder()
  readonly #alternate = new AlternateEncoder()
  readonly #room = new RowsBelowFrame()
  readonly #size: SettlingSize
  readonly #overlays = new PictureOverlays()
  /** The sequence that leaves the alternate screen, while it is open. */
  #leaves: string | null = null
  /** Whether to redraw the screen as soon as the terminal keeps up. */
  #isStale = false
  #paused = false
  #released = false
  /** The timer of a repaint that waits for the terminal to report the place of the frame. */
  #patience: NodeJS.Timeout | null = null

  /** The terminal's reflow, if known. */
  #reflow: Reflow | null = null

  constructor(target: TerminalStream) {
    super({ decodeStrings: false })
    this.#target = target
    this.columns = target.columns || 80
    this.rows = target.rows || 24
    target.on('resize', this.#onResize)
    this.#size = new SettlingSize(target, this.#onSettled)
    this.#frames = new FrameWriter(target, this.#onTaken)
    // The hangup signal or the end of input reports a terminal that has gone: an error here adds nothing.
    target.on('error', () => undefined)
  }

  /** False while the size is changing, the terminal does not keep up, another screen is shown or another program has it. */
  canDraw(): boolean {
    return this.#isReady() && !this.isAlternate
  }

  /** Whether the alternate screen is shown. */
  get isAlternate(): boolean {
    return this.#leaves !== null
  }

  /** The terminal's reflow; `cuts`, which erases least, if unknown. */
  get reflow(): Reflow {
    return this.#reflow ?? 'cuts'
  }

  /** Sets the terminal's reflow. */
  learn(reflow: Reflow): void {
    this.#reflow = reflow
  }

  /** Whether the signs for hidden characters (`␛`, `⟦U+202E⟧`) are written in ASCII. */
  set isPlain(isPlain: boolean) {
    this.#frames.isPlain = isPlain
  }

  /** Takes the cursor's place. A terminal that cuts lines leaves it in its row when only the width changes. */
  takePlace(place: TerminalPlace): void {
    if (this.#room.takePlace(place, this.rows)) this.#reflow ??= 'wraps'
    if (this.#patience) this.#lookNoLonger()
  }

  /**
   * Shows the alternate screen. The main screen stays as it is until `leaveAlternate`, without the live zone, whose
   * place is unknown after a resize.
   */
  enterAlternate({ enter, leave }: { enter: string; leave: string }): void {
    if (this.isAlternate || this.#paused || this.#released) return
    this.#settle()
    this.#frames.write(this.#encoder.erase())
    this.#leaves = leave
    this.#alternate.reset()
    this.send(enter)
  }

  /** Returns to the shell's screen, in one write with the next drawing. */
  leaveAlternate(): void {
    if (this.#leaves === null) return
    this.send(this.#leaves)
    this.#leaves = null
    this.#settle()
    this.#room.forget()
  }

  /** Shows a page of the alternate screen, if it is open and the terminal keeps up; `redraw` draws all of it. */
  drawAlternate(page: AlternatePage, redraw = false): void {
    if (!this.isAlternate || !this.#isReady()) return
    this.#frames.write((redraw ? this.#alternate.wipe() : '') + this.#alternate.draw(page))
  }

  #isReady(): boolean {
    // Node reports a resize only when it is idle; a frame for the old size would appear in the wrong place.
    this.#size.refresh()
    return !this.#size.isChanging && !this.#frames.isBehind && !this.#paused && !this.#released
  }

  /** Shows a frame. Call it only while `canDraw`. */
  draw({ finished, zone, caret, overlays = [] }: ScreenDrawing): void {
    const isWide = finished.some(row => row.text.includes('\t') || row.width > this.columns)
    const before = this.#encoder.zone.length
    const frame = this.#encoder.draw(finished, withBlank(zone, this.rows), caret, isWide ? 0 : this.rows, this.#bands)
    this.#room.take(finished.length + this.#encoder.zone.length - before)
    if (isWide) this.#room.forget()
    const asks = this.asksPlace && this.#reflow !== 'wraps' && this.#reflow !== 'cuts'
    const asked = asks ? this.#room.ask(this.#encoder.below) : ''
    const pictures = { encoder: this.#encoder, finished: finished.length, rows: this.rows }
    this.#frames.write(frame + this.#overlays.draw(overlays, pictures) + asked)
  }

  /** Erases the live zone. After that nothing is written: another program has the terminal. */
  hold(): void {
    this.#settle()
    this.#frames.write(this.#encoder.erase())
    this.#paused = true
  }

  /** Takes the terminal again, at its current size. */
  unhold(): void {
    this.#paused = false
    this.#room.forget()
    this.#measure()
  }

  /** Appends `text` as it is, for people who use a screen reader. No frame is drawn. */
  append(text: string): void {
    if (this.#paused || this.#released) return
    this.#frames.put(this.#frames.framed('') + text)
  }

  /** Writes sequences that print nothing on the empty row below the frame, such as a query for the cursor's place. */
  writeBelow(bytes: string): void {
    if (!this.#paused && !this.#released && !this.isAlternate) this.#frames.write(this.#encoder.belowFrame(bytes))
  }

  /** Writes modes and questions, soon and in order, and never within a frame. */
  send(sequences: string): void {
    if (this.#paused || this.#released || sequences === '') return
    this.#frames.send(sequences)
  }

  override _write(_chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    callback()
  }

  /** Resolves when the terminal has taken everything that was written or sent so far. */
  async taken(): Promise<void> {
    await this.#frames.taken()
  }

  /**
   * Resolves when the terminal has taken everything, or after the time limit for exits. The last frame is drawn for the current
   * size.
   */
  async lastTaken(): Promise<void> {
    await this.#frames.lastTaken()
    this.#settle()
  }

  /** Writes `data` at once, when the terminal is ours again. */
  take(data: string): void {
    this.#frames.take(data)
  }

  /**
   * Writes `data` below the frame at once, without the event loop, when the terminal goes to another program. False if
   * it did not take it.
   */
  give(data: string): boolean {
    const leaves = this.#leaves ?? ''
    this.#leaves = null
    return this.#frames.give(leaves, this.#encoder.leave(), data)
  }

  /**
   * Redraws the screen as soon as possible. `make` gives the frame and the number of rows above the cursor at which it begins
   * now; null for the top of the screen. The shell's rows above it are not erased. If the terminal is about to report the place
   * of the frame, the repaint waits: a window that was lower may have rows of it in its scrollback.
   */
  repaint(make: () => ScreenDrawing & { rowsAbove: number | null }): void {
    this.#isStale = !this.canDraw() || this.#patience !== null
    if (this.#isStale) return
    if (this.#room.isComing) {
      this.#isStale = true
      this.#patience = setTimeout(this.#lookNoLonger, SETTLE)
      return
    }
    const { free } = this.#room
    const most = free === null ? this.rows - 1 : Math.max(0, this.rows - 1 - free - this.#encoder.below)
    const { rowsAbove, finished, zone, caret } = make()
    const up = Math.min(rowsAbove ?? 0, most)
    const start = rowsAbove === null ? '\u001B[H' : up === 0 ? '\r' : `\u001B[${up}F`
    const above = finished.map(row => `${finishedRow(row, this.#bands)}\r\n`).join('')
    this.#encoder.reset()
    this.#room.forget()
    const frame = this.#encoder.draw([], withBlank(zone, this.rows), caret, this.rows)
    this.#frames.write(`${start}${this.#overlays.wipe(this.rows)}${ERASE_BELOW}${above}${frame}`)
  }

  /**
   * The columns of a terminal that fills bands itself, else 0: a terminal that cuts lines does not need it, and GNU
   * screen erases without a colour. An unknown one may wrap written blanks.
   */
  get #bands(): number {
    return this.#reflow === 'cuts' ? 0 : this.columns
  }

  /** Lets go of the terminal: nothing more is drawn. */
  release(): void {
    this.#frames.write('')
    this.#settle()
    if (this.#patience) clearTimeout(this.#patience)
    this.#released = true
    this.#target.off('resize', this.#onResize)
  }

  #measure(): void {
    this.columns = this.#target.columns || this.columns
    this.rows = this.#target.rows || this.rows
  }

  /**
   * Settles on the terminal's current size. The live zone is erased, wherever it is by now, and drawn again below the printed
   * rows, which the terminal reflows like every program's output.
   */
  #settle(): void {
    this.#size.refresh()
    const least = this.#size.stop()
    if (least === null) return this.#measure()
    const before = { columns: this.columns, rows: this.rows }
    this.#measure()
    const kept = keptBelow(this.#encoder.below, this.#room, before, least)
    const isOnlyWidth = least.rows === before.rows && this.rows === before.rows
    const asks = this.#reflow === null && isOnlyWidth ? this.#room.askMoved(this.#encoder.below, this.rows) : ''
    this.#frames.write(
      asks + this.#encoder.eraseResized({ columns: this.columns, kept, reflow: this.reflow }, this.rows),
    )
    this.#room.forget()
  }

  /** Stops waiting: the place is known, or the terminal did not report it in time. */
  readonly #lookNoLonger = (): void => {
    if (this.#patience) clearTimeout(this.#patience)
    this.#patience = null
    if (this.#room.isComing) this.#room.forget()
    this.#onTaken()
  }

  readonly #onTaken = (): void => {
    if (this.#paused || this.#released) return
    if (this.isAlternate) this.onAlternate?.()
    else if (this.canDraw()) this.onReady?.()
    if (this.#isStale && this.canDraw()) this.onRepaint?.()
  }

  readonly #onSettled = (): void => {
    this.#settle()
    if (!this.isAlternate) return this.#onTaken()
    // Terminals differ in how they resize the alternate screen, so all of it is drawn again.
    this.#frames.addModes(this.#alternate.wipe())
    this.onAlternate?.()
  }

  readonly #onResize = (): void => {
    if (!this.#paused) this.#size.change(this)
  }
}

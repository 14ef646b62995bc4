import { Writable } from 'node:stream'
import { AlternateEncoder, type AlternatePage } from './alternate.ts'
import type { Reflow } from '../../text/reflow.ts'
import { empty, type Styled } from '../../text/styled.ts'
import type { Size } from '../../text/width.ts'
import { ERASE_BELOW, finishedRow, FrameEncoder, type CursorPlace } from './frames.ts'
import { TerminalWriter, type TerminalStream } from './terminal-writer.ts'
import { keptBelow } from './reflow.ts'
import { RowsBelowFrame, type TerminalPlace } from './rows-below-frame.ts'

/** Milliseconds that the size must stay the same before drawing resumes. */
const SETTLE = 120
/** Milliseconds to wait for the terminal at exit. */
const LAST_WAIT = 500

const SYNC_BEGIN = '\u001B[?2026h'
const SYNC_END = '\u001B[?2026l'
/** A frame for the terminal. */
export type ScreenDrawing = {
  /** Rows that are printed above the live zone, for good. One that is too wide is wrapped by the terminal. */
  finished: readonly Styled[]
  /** The live zone. No row of it is wider than the terminal. */
  zone: readonly Styled[]
  /** The caret's place in the live zone. */
  caret: CursorPlace
  overlays?: readonly PictureOverlay[]
}

/** A picture over finished rows as they are written; omitted when the rows scroll away at once. */
export type PictureOverlay = {
  /** Its first row, counted up from the end of the finished rows. */
  up: number
  x: number
  bytes: string
  /** Removes the picture at the cursor, for terminals in which erasing the rows does not. */
  wipe: string
}

/**
 * The terminal as we write to it. `draw` shows a frame as changes to what the terminal shows, in one write. Keeps a terminal
 * size that changes only when a resize has settled, and knows when not to draw: callers ask `canDraw` first and hold back
 * changes until `onReady`.
 *
 * For Ink it has the shape of a TTY write stream, for its size. What Ink writes itself is left out.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Bytes written to the terminal so far. */
  bytesWritten = 0
  /** Called when drawing is possible again, maybe at a new size; and when a repaint is that could not be done before. */
  onReady: (() => void) | null = null
  onRepaint: (() => void) | null = null
  /** The first of them while the alternate screen is open. */
  onAlternate: (() => void) | null = null

  /** Whether the terminal is asked where its cursor is. */
  asksPlace = false
  /** Whether the signs for hidden characters (`␛`, `⟦U+202E⟧`) are written in ASCII. */
  isPlain = false

  readonly #target: TerminalStream
  readonly #writer: TerminalWriter
  readonly #encoder = new FrameEncoder()
  readonly #alternate = new AlternateEncoder()
  readonly #room = new RowsBelowFrame()
  /** The sequence that leaves the alternate screen, while it is open. */
  #leaves: string | null = null
  /** Erases keys that the terminal echoed before the program started. */
  #beginning = '\r\u001B[J'
  /** Modes and questions that have still to be written. */
  #modes = ''
  /** The sequences that wipe pictures from the screen. */
  #wipe = ''
  /** Whether to redraw the screen as soon as the terminal keeps up. */
  #isStale = false
  #held = false
  #released = false
  #settling: NodeJS.Timeout | null = null
  /** The timer of a repaint that waits for the terminal to say where the frame is. */
  #patience: NodeJS.Timeout | null = null
  /** The fewest columns and rows while the size changed. */
  #least: Size = { columns: 0, rows: 0 }

  /** The terminal's reflow, if known. */
  #reflow: Reflow | null = null

  constructor(target: TerminalStream) {
    super({ decodeStrings: false })
    this.#target = target
    this.columns = target.columns || 80
    this.rows = target.rows || 24
    target.on('resize', this.#onResize)
    this.#writer = new TerminalWriter(target, this.#onTaken)
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

  /** Takes the cursor's place. A terminal that cuts lines leaves it in its row when only the width changes. */
  tellPlace(place: TerminalPlace): void {
    if (this.#room.told(place, this.rows)) this.#reflow ??= 'wraps'
    if (this.#patience) this.#lookNoLonger()
  }

  /**
   * Shows the alternate screen. The other one stays as it is until `leaveAlternate`, without the live zone: nobody could say
   * where that is when the size has changed meanwhile.
   */
  enterAlternate({ enter, leave }: { enter: string; leave: string }): void {
    if (this.isAlternate || this.#held || this.#released) return
    this.#settle()
    this.#write(this.#encoder.erase())
    this.#leaves = leave
    this.#alternate.reset()
    this.send(enter)
  }

  /** Back to the shell's screen, in one write with what is drawn next. */
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
    this.#write((redraw ? this.#alternate.wipe() : '') + this.#alternate.draw(page))
  }

  #isReady(): boolean {
    // A resize is told as soon as nothing else is to be done; a frame for the size before it would come out anywhere.
    refreshSize(this.#target)
    return this.#settling === null && !this.#writer.isBehind && !this.#held && !this.#released
  }

  /** Shows a frame. Only while `canDraw`. */
  draw({ finished, zone, caret, overlays = [] }: ScreenDrawing): void {
    const isWide = finished.some(row => row.text.includes('\t') || row.width > this.columns)
    const before = this.#encoder.zone.length
    const frame = this.#encoder.draw(finished, this.#withBlank(zone), caret, isWide ? 0 : this.rows, this.#bands)
    this.#room.take(finished.length + this.#encoder.zone.length - before)
    if (isWide) this.#room.forget()
    this.#write(frame + this.#overlay(overlays, finished.length) + this.#askPlace())
  }

  /** Asks where the frame is, in a terminal of which that has to be known. */
  #askPlace(): string {
    return this.asksPlace && this.#reflow !== 'wraps' && this.#reflow !== 'cuts'
      ? this.#room.ask(this.#encoder.below)
      : ''
  }

  /** Takes the live zone off the screen; then nothing is written: another program has the terminal. */
  hold(): void {
    this.#settle()
    this.#write(this.#encoder.erase())
    this.#held = true
  }

  /** The terminal is ours again, at the size that it has now. */
  unhold(): void {
    this.#held = false
    this.#room.forget()
    this.#measure()
  }

  /** Appends `text` as it is, for people who use a screen reader. No frame is drawn. */
  append(text: string): void {
    if (this.#held || this.#released) return
    this.#put(this.#framed('') + text)
  }

  /** Writes sequences that print nothing on the empty row below the frame, such as a query for the cursor's place. */
  aside(bytes: string): void {
    if (!this.#held && !this.#released && !this.isAlternate) this.#write(this.#encoder.aside(bytes))
  }

  /** Writes modes and questions, soon and in order, and never within a frame. */
  send(sequences: string): void {
    if (this.#held || this.#released || sequences === '') return
    if (this.#modes === '') queueMicrotask(() => this.#write(''))
    this.#modes += sequences
  }

  override _write(_chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    callback()
  }

  /** Resolves when the terminal has taken all that was written or sent so far. */
  async taken(): Promise<void> {
    // Sent sequences are written in a microtask.
    await new Promise(resolve => setImmediate(resolve))
    await this.#writer.taken()
  }

  /**
   * Resolves when it has taken what was written, or when that was waited for as long as may be on the way out. What is drawn
   * last is drawn for the size that it has then.
   */
  async lastTaken(): Promise<void> {
    await this.#writer.taken(LAST_WAIT)
    this.#settle()
  }

  /** Writes `data`, at once, for the terminal is ours again. */
  take(data: string): void {
    this.#writer.open()
    this.#writer.write(data)
  }

  /**
   * Writes `data` behind the frame, at once, whatever the event loop does, for the terminal is somebody else's now. False
   * where it did not take it.
   */
  give(data: string): boolean {
    const due = this.#framed('') + (this.#leaves ?? '')
    this.#leaves = null
    this.#writer.open()
    const isTaken = this.#writer.writeNow(due + this.#framed(this.#encoder.leave()) + data, LAST_WAIT)
    this.#writer.close()
    return isTaken
  }

  /**
   * Redraws the screen as soon as possible. `make` gives the frame and the number of rows above the cursor at which it
   * begins now, null for the top of the screen: the shell's rows above are not ours to wipe. A window that was lower may
   * still have some of those rows in its scrollback: if the terminal is about to say where the frame is, the repaint waits.
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
    const frame = this.#encoder.draw([], this.#withBlank(zone), caret, this.rows)
    this.#write(`${start}${this.#wiped()}${ERASE_BELOW}${above}${frame}`)
  }

  /**
   * The columns of a terminal that fills bands itself, else 0: one that cuts lines gains nothing, and GNU screen erases
   * without a colour.
   */
  get #bands(): number {
    return this.reflow === 'cuts' ? 0 : this.columns
  }

  /** The blank row below everything, where a screen has room for it. */
  #withBlank(zone: readonly Styled[]): readonly Styled[] {
    return this.rows > 1 ? [...zone, empty] : zone
  }

  /** Lets go of the terminal: nothing more is drawn. */
  release(): void {
    this.#write('')
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
   * The size that the terminal has now is the one to draw for. The live zone is taken away, wherever it is by now, and will be
   * drawn again below what was printed: that is the terminal's to reflow, as every program's output is.
   */
  #settle(): void {
    refreshSize(this.#target)
    if (this.#settling === null) return this.#measure()
    clearTimeout(this.#settling)
    this.#settling = null
    const before = { columns: this.columns, rows: this.rows }
    this.#measure()
    const kept = keptBelow(this.#encoder.below, this.#room, before, this.#least)
    const isOnlyWidth = this.#least.rows === before.rows && this.rows === before.rows
    const asks = this.#reflow === null && isOnlyWidth ? this.#room.askMoved(this.#encoder.below, this.rows) : ''
    this.#write(asks + this.#encoder.eraseResized({ columns: this.columns, kept, reflow: this.reflow }, this.rows))
    this.#room.forget()
  }

  #write(frame: string): void {
    this.#put(this.#framed(frame))
  }

  #put(data: string): void {
    if (data === '') return
    const written = this.isPlain ? inAscii(data) : data
    this.bytesWritten += Buffer.byteLength(written)
    this.#writer.write(written)
  }

  /** The modes that are due, and a frame that a terminal shows as a whole. */
  #framed(frame: string): string {
    const modes = this.#modes
    this.#modes = ''
    if (frame === '') return modes
    const beginning = this.#beginning
    this.#beginning = ''
    return modes + SYNC_BEGIN + beginning + frame + SYNC_END
  }

  #overlay(overlays: readonly PictureOverlay[], finished: number): string {
    return overlays
      .filter(({ up }) => up <= finished)
      .map(({ up, x, bytes, wipe }) => {
        const drawn = this.#encoder.drawAbove({ up, x, bytes }, this.rows)
        if (drawn !== '' && wipe !== '') this.#wipe = `\u001B[${x + 1}G${wipe}`
        return drawn
      })
      .join('')
  }

  /** Takes the pictures off the rows from the cursor on. */
  #wiped(): string {
    const wipe = this.#wipe
    this.#wipe = ''
    if (wipe === '') return ''
    return `\u001B7${Array.from({ length: this.rows }, () => wipe).join('\u001B[B')}\u001B8`
  }

  /** What a terminal makes of the rows of the alternate screen at another size differs. */
  #redrawAlternate(): void {
    this.#modes += this.#alternate.wipe()
    this.onAlternate?.()
  }

  /** The place is known, or the terminal has taken too long to tell it. */
  readonly #lookNoLonger = (): void => {
    if (this.#patience) clearTimeout(this.#patience)
    this.#patience = null
    if (this.#room.isComing) this.#room.forget()
    this.#onTaken()
  }

  readonly #onTaken = (): void => {
    if (this.#held || this.#released) return
    if (this.isAlternate) this.onAlternate?.()
    else if (this.canDraw()) this.onReady?.()
    if (this.#isStale && this.canDraw()) this.onRepaint?.()
  }

  readonly #onResize = (): void => {
    if (this.#held) return
    const { columns, rows } = this.#target
    const { columns: least, rows: lowest } = this.#settling ? this.#least : this
    this.#least = { columns: Math.min(least, columns || least), rows: Math.min(lowest, rows || lowest) }
    if (this.#settling) clearTimeout(this.#settling)
    this.#settling = setTimeout(() => {
      this.#settle()
      if (this.isAlternate) this.#redrawAlternate()
      else this.#onTaken()
    }, SETTLE)
  }
}

function inAscii(data: string): string {
  return data.replaceAll(/[\u2400-\u2421\u27e6\u27e7]/g, sign =>
    sign === '\u27e6' ? '[' : sign === '\u27e7' ? ']' : '?',
  )
}

/** Asks the terminal for its size; where that has changed, it is told as a resize before this returns. */
function refreshSize(stream: object): void {
  const { _refreshSize: refresh } = stream as { _refreshSize?: () => void }
  refresh?.call(stream)
}

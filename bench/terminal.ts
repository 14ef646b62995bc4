/**
 * A terminal that measures: it takes the bytes of a program frame by frame, as a terminal with synchronized output shows
 * them, and notes when each frame arrived.
 */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm from '@xterm/headless'
import { now } from './clock.ts'

/** Called after each frame, with the time at which its last byte arrived. */
type Watcher = (at: number) => void

const frameStart = Buffer.from('\x1b[?2026h')
const frameEnd = Buffer.from('\x1b[?2026l')

export class Terminal {
  /** The program's output so far. */
  readonly received: Buffer[] = []
  bytes = 0
  frames = 0
  /** The number of times that the screen, or with it the scrollback, was wiped (`CSI 2J`, `CSI 3J`). */
  wipes = 0
  /** Frames that show less than half the lines of both the one before and the one after. */
  flashes = 0
  /** Called with what the terminal answers. */
  onReply: (text: string) => void = () => {}

  readonly #terminal: xterm.Terminal
  readonly #watchers = new Set<Watcher>()
  readonly #queue: { bytes: Buffer; at: number }[] = []
  #held: Buffer = Buffer.alloc(0)
  #parsing = false
  /** The first row that may hold something new: the top of the screen as it was before this frame. */
  #from = 0
  /** Lines with text, of the last two frames. */
  #filled: readonly [number, number] = [0, 0]

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 500_000, allowProposedApi: true })
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    this.#terminal.onData(reply => this.onReply(reply))
    this.#terminal.parser.registerCsiHandler({ final: 'J' }, ([what]) => {
      if (what === 2 || what === 3) this.wipes += 1
      return false
    })
  }

  receive(bytes: Buffer): void {
    const at = now()
    this.received.push(bytes)
    this.bytes += bytes.length
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    for (;;) {
      const start = this.#held.indexOf(frameStart)
      if (start === -1) {
        this.#release(this.#held.length - openingTail(this.#held), at)
        break
      }
      this.#release(start, at)
      const end = this.#held.indexOf(frameEnd)
      if (end === -1) break
      this.#release(end + frameEnd.length, at)
    }
    this.#parseNext()
  }

  /** Calls `watcher` after each frame; the returned function ends that. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
    this.#filled = [0, 0]
  }

  /** Whether all that was received has been drawn. */
  get settled(): boolean {
    return !this.#parsing && this.#queue.length === 0
  }

  get rows(): number {
    return this.#terminal.rows
  }

  screen(): string[] {
    const { baseY } = this.#terminal.buffer.active
    return this.#lines(baseY, baseY + this.rows)
  }

  /** The screen, and what scrolled off it in this very frame. For watchers. */
  fresh(): string[] {
    const { baseY } = this.#terminal.buffer.active
    return this.#lines(Math.min(this.#from, baseY), baseY + this.rows)
  }

  /** Scrollback and screen; rows that the terminal itself has broken are joined again. */
  history(): string[] {
    const { active } = this.#terminal.buffer
    const joined: string[] = []
    for (let row = 0; row < active.baseY + this.rows; row += 1) {
      const line = active.getLine(row)
      // A row that continues in the next keeps the blanks at its end.
      const text = line?.translateToString(active.getLine(row + 1)?.isWrapped !== true) ?? ''
      if (line?.isWrapped) joined.push((joined.pop() ?? '') + text)
      else joined.push(text)
    }
    return joined
  }

  /** The character to the left of the cursor. */
  beforeCursor(): string {
    const { active } = this.#terminal.buffer
    const line = active.getLine(active.baseY + active.cursorY)
    return line?.getCell(active.cursorX - 1)?.getChars() ?? ''
  }

  #release(length: number, at: number): void {
    if (length <= 0) return
    this.#queue.push({ bytes: this.#held.subarray(0, length), at })
    this.#held = this.#held.subarray(length)
  }

  #parseNext(): void {
    if (this.#parsing) return
    const piece = this.#queue.shift()
    if (!piece) return
    this.#parsing = true
    this.#from = this.#terminal.buffer.active.baseY
    this.#terminal.write(piece.bytes, () => {
      this.#parsing = false
      this.frames += 1
      this.#countFlash()
      for (const watcher of this.#watchers) watcher(piece.at)
      this.#parseNext()
    })
  }

  #countFlash(): void {
    const filled = this.screen().filter(line => line !== '').length
    const [before, shown] = this.#filled
    if (shown < before / 2 && shown < filled / 2) this.flashes += 1
    this.#filled = [shown, filled]
  }

  #lines(from: number, to: number): string[] {
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let row = from; row < to; row += 1) lines.push(active.getLine(row)?.translateToString(true).trimEnd() ?? '')
    return lines
  }
}

/** The number of the last bytes that may be the beginning of a frame's mark. */
function openingTail(bytes: Buffer): number {
  for (let length = Math.min(frameStart.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(frameStart.subarray(0, length))) return length
  }
  return 0
}

import { TerminalWriter, type TerminalStream } from './terminal-writer.ts'

/** Milliseconds to wait for the terminal at exit. */
const LAST_WAIT = 500

const SYNC_BEGIN = '\u001B[?2026h'
const SYNC_END = '\u001B[?2026l'

/** Writes frames, each of which a terminal shows as a whole, with the modes that are due before them. */
export class FrameWriter {
  /** Whether the signs for hidden characters (`␛`, `⟦U+202E⟧`) are written in ASCII. */
  isPlain = false
  readonly #terminal: TerminalWriter
  /** Erases keys that the terminal echoed before the program started. */
  #beginning = '\r\u001B[J'
  /** Modes and questions that have still to be written. */
  #modes = ''

  constructor(target: TerminalStream, onTaken: () => void) {
    this.#terminal = new TerminalWriter(target, onTaken)
  }

  /** Whether the terminal has not taken everything that was written. */
  get isBehind(): boolean {
    return this.#terminal.isBehind
  }

  /** Resolves when the terminal has taken all that was written or sent so far. */
  async taken(): Promise<void> {
    // Sent sequences are written in a microtask.
    await new Promise(resolve => setImmediate(resolve))
    await this.#terminal.taken()
  }

  /** Resolves when the terminal has taken everything, or after the time limit for exits. */
  async lastTaken(): Promise<void> {
    await this.#terminal.taken(LAST_WAIT)
  }

  /** Writes `data` at once, and resumes writing. */
  take(data: string): void {
    this.#terminal.open()
    this.#terminal.write(data)
  }

  /** Writes the due modes, a last frame and `data` at once, and nothing after them. False if they were not taken. */
  give(leaves: string, frame: string, data: string): boolean {
    const due = this.framed('') + leaves
    this.#terminal.open()
    const isTaken = this.#terminal.writeNow(due + this.framed(frame) + data, LAST_WAIT)
    this.#terminal.close()
    return isTaken
  }

  /** Writes the due modes and a frame; of an empty frame only the modes. */
  write(frame: string): void {
    this.put(this.framed(frame))
  }

  put(data: string): void {
    if (data === '') return
    this.#terminal.write(this.isPlain ? inAscii(data) : data)
  }

  /** Adds modes for the next frame. */
  addModes(sequences: string): void {
    this.#modes += sequences
  }

  /** Writes modes soon and in order, and never within a frame. */
  send(sequences: string): void {
    if (this.#modes === '') queueMicrotask(() => this.write(''))
    this.#modes += sequences
  }

  /** The modes that are due, and a frame that a terminal shows as a whole. */
  framed(frame: string): string {
    const modes = this.#modes
    this.#modes = ''
    if (frame === '') return modes
    const beginning = this.#beginning
    this.#beginning = ''
    return modes + SYNC_BEGIN + beginning + frame + SYNC_END
  }
}

function inAscii(data: string): string {
  return data.replaceAll(/[\u2400-\u2421\u27e6\u27e7]/g, sign =>
    sign === '\u27e6' ? '[' : sign === '\u27e7' ? ']' : '?',
  )
}

import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ReadStream } from 'node:tty'
import { createKeyReader, type Taken } from './keys.ts'
import { PASTE_END, PASTE_START } from './sequence.ts'

/** Milliseconds for which a lone ESC may still begin a sequence. */
const ESCAPE_WAIT = 50
/** Input this many milliseconds after an ESC was not sent with it: a terminal sends Alt and a letter together. */
const ESCAPE_APART = 10
/** Milliseconds that an unterminated paste may pause before its text is taken as it is. */
const PASTE_WAIT = 2000

export type InputListeners = {
  onReply(sequence: string): void
  onFocus(focused: boolean): void
  /**
   * Called with what the terminal sent, whatever it means: for a key, text or paste right before the program hears of it.
   */
  onSent?(raw: string): void
}

/**
 * Stands between the terminal and Ink, in the shape of a TTY read stream: removes replies, focus reports and unknown
 * sequences, and passes on one key, text or paste at each `read()`, in the forms Ink knows.
 *
 * It reads from the start, so that nothing typed before the first frame is lost.
 */
export class TerminalInput extends Readable {
  readonly isTTY = true
  readonly #source: ReadStream
  readonly #listeners: InputListeners
  readonly #reader = createKeyReader()
  readonly #decoder = new StringDecoder('utf8')
  #timer: NodeJS.Timeout | null = null
  /** The time of the last input, in milliseconds of a monotonic clock. */
  #cameAt = 0
  /** The raw bytes of each token that is not read yet. */
  readonly #unread: string[] = []

  constructor(source: ReadStream, listeners: InputListeners) {
    // In object mode each `read()` gives one token.
    super({ objectMode: true })
    this.#source = source
    this.#listeners = listeners
    source.on('data', this.#onData)
    source.once('end', this.#onEnd)
    // The terminal was closed, or a shell has it again.
    source.on('error', this.#onEnd)
  }

  override _read(): void {
    // Nothing to do: the terminal is read all the time.
  }

  override read(size?: number): ReturnType<Readable['read']> {
    const read: ReturnType<Readable['read']> = super.read(size)
    if (read !== null) this.#listeners.onSent?.(this.#unread.shift() ?? '')
    return read
  }

  /** Does nothing: the input is text already. */
  override setEncoding(): this {
    return this
  }

  setRawMode(on: boolean): this {
    this.#source.setRawMode(on)
    return this
  }

  ref(): this {
    this.#source.ref()
    return this
  }

  unref(): this {
    this.#source.unref()
    return this
  }

  /** Stops reading, for good or while another program has the terminal. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#source.off('data', this.#onData)
    this.#source.pause()
  }

  start(): void {
    this.#source.off('data', this.#onData)
    this.#source.on('data', this.#onData)
    this.#source.resume()
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const now = performance.now()
    const paused = now - this.#cameAt >= ESCAPE_APART
    this.#cameAt = now
    this.#take(this.#reader.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk), paused))
    this.#wait()
  }

  /** The terminal is gone. */
  readonly #onEnd = (): void => {
    this.emit('end')
  }

  #wait(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const waiting = this.#reader.waiting()
    if (waiting === 'nothing') return
    const time = waiting === 'paste' ? PASTE_WAIT : ESCAPE_WAIT
    this.#timer = setTimeout(() => this.#take(this.#reader.flush()), time)
  }

  #take(taken: readonly Taken[]): void {
    for (const { raw, token } of taken) {
      if (token?.kind === 'key') this.#pass(token.sequence, raw)
      else if (token?.kind === 'text') this.#pass(token.text, raw)
      else if (token?.kind === 'paste') this.#pass(PASTE_START + token.text + PASTE_END, raw)
      else this.#listeners.onSent?.(raw)
      if (token?.kind === 'reply') this.#listeners.onReply(token.sequence)
      else if (token?.kind === 'focus') this.#listeners.onFocus(token.focused)
    }
  }

  #pass(chunk: string, raw: string): void {
    this.#unread.push(raw)
    this.push(chunk)
  }
}

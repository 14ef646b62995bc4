import { StringDecoder } from 'node:string_decoder'
import type { ReadStream } from 'node:tty'
import { clock } from '../clock.ts'
import type { Token } from './key-encoding.ts'
import { createKeyReader, type TakenInput } from './keys.ts'

/** Milliseconds after which a lone ESC no longer begins a sequence. */
const ESCAPE_WAIT = 50
/** Input this many milliseconds after an ESC was not sent with it: a terminal sends Alt and a letter together. */
const ESCAPE_APART = 10
/** Milliseconds that an unterminated paste may pause before its text is taken as it is. */
const PASTE_WAIT = 2000

/** Input of the terminal, decoded once. */
export type KeyInput = {
  /** The keymap's name of a key; `text` or `paste` if `text` was typed or pasted; empty for an unknown key. */
  name: string
  text: string
  /** The bytes as the terminal sent them; for a paste only its end. */
  raw: string
}

export type KeySource = {
  /** Passes on all input from now on, and first the input that is waiting. Returns a function that unsubscribes. */
  subscribe: (listener: (input: KeyInput) => void) => () => void
}

export type InputListeners = {
  onReply(sequence: string): void
  onFocus(focused: boolean): void
}

/**
 * Reads the terminal. It takes out replies and focus reports, and passes on one key, text or paste at a time. It reads from the
 * start, so that nothing typed before the first frame is lost.
 */
export class TerminalInput implements KeySource {
  /** Called once, when the terminal is gone. */
  onEnd: (() => void) | null = null
  /** Called with each key that has to wait for a subscriber. */
  onWaiting: ((input: KeyInput) => void) | null = null
  readonly #source: ReadStream
  readonly #listeners: InputListeners
  readonly #reader = createKeyReader()
  readonly #decoder = new StringDecoder('utf8')
  #timer: NodeJS.Timeout | null = null
  /** The time of the last input, in milliseconds of a monotonic clock. */
  #cameAt = 0
  readonly #subscribers = new Set<(input: KeyInput) => void>()
  /** Keys that arrived without a subscriber. */
  #waiting: KeyInput[] = []

  constructor(source: ReadStream, listeners: InputListeners) {
    this.#source = source
    this.#listeners = listeners
    source.on('data', this.#onData)
    source.once('end', this.#onEnd)
    // The terminal was closed, or belongs to a shell again.
    source.on('error', this.#onEnd)
  }

  readonly subscribe = (listener: (input: KeyInput) => void): (() => void) => {
    this.#subscribers.add(listener)
    if (this.#waiting.length > 0) queueMicrotask(this.handOnWaiting)
    return () => void this.#subscribers.delete(listener)
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
    const now = clock()
    const paused = now - this.#cameAt >= ESCAPE_APART
    this.#cameAt = now
    this.#take(this.#reader.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk), paused))
    this.#wait()
  }

  readonly #onEnd = (): void => {
    this.onEnd?.()
    this.onEnd = null
  }

  #wait(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const waiting = this.#reader.waiting()
    if (waiting === 'nothing') return
    const time = waiting === 'paste' ? PASTE_WAIT : ESCAPE_WAIT
    this.#timer = setTimeout(() => this.#take(this.#reader.flush()), time)
  }

  #take(taken: readonly TakenInput[]): void {
    for (const { raw, token } of taken) {
      this.#handOn(inputOf(raw, token))
      if (token?.kind === 'reply') this.#listeners.onReply(token.sequence)
      else if (token?.kind === 'focus') this.#listeners.onFocus(token.focused)
    }
  }

  #handOn(input: KeyInput): void {
    if (this.#subscribers.size === 0 || this.#waiting.length > 0) {
      this.#waiting.push(input)
      this.onWaiting?.(input)
    } else for (const listener of this.#subscribers) listener(input)
  }

  /** Passes on the waiting keys at once instead of in a microtask. */
  readonly handOnWaiting = (): void => {
    if (this.#subscribers.size === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const input of waiting) this.#handOn(input)
  }
}

function inputOf(raw: string, token: Token | null): KeyInput {
  if (token?.kind === 'key') return { name: token.name, text: '', raw }
  if (token?.kind === 'text' || token?.kind === 'paste') return { name: token.kind, text: token.text, raw }
  return { name: '', text: '', raw }
}

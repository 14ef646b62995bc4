/**
 * Writes to the terminal. One that does not read (a hung connection, a stopped multiplexer) must not hold up the
 * program: bytes that it does not take wait here and are offered again, while keys and signals are handled.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import type { WriteStream } from 'node:tty'

export type TerminalStream = WriteStream & { readonly fd: number }

/** Milliseconds that a frame may hold up the program: a terminal that reads has taken it by then. */
const PATIENCE = 10
/** Milliseconds of sleep between two tries in that time. */
const NAP = 0.2
/** The least and the most milliseconds before bytes are offered again. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 32
/** The wait between these is this part of the time since the terminal last took something. */
const PART = 1 / 8

/** For a wait that holds up everything. */
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * Whether a write to the terminal waits until that takes it, which is how Node sets it up, or takes what it can and says so.
 * Node opens the terminal for itself: other programs that have it are not affected. There is no public way to ask for it;
 * where this one is missing, and on Windows, whose consoles have ways of their own, writes go on waiting. Returns whether
 * they do.
 */
export function setWaiting(stream: object, waits: boolean): boolean {
  const { _handle: handle } = stream as { _handle?: { setBlocking?: (on: boolean) => number } }
  if (process.platform === 'win32' || !handle?.setBlocking) return true
  return handle.setBlocking(waits) === 0 ? waits : true
}

export class TerminalWriter {
  readonly #target: TerminalStream
  readonly #onTaken: () => void
  #queue: Buffer[] = []
  #timer: NodeJS.Timeout | null = null
  #tookAt = 0
  #waits = true
  #waiters: (() => void)[] = []

  /** `onTaken` is called when the terminal has taken all that it did not take at once. */
  constructor(target: TerminalStream, onTaken: () => void) {
    this.#target = target
    this.#onTaken = onTaken
    this.open()
  }

  /** Whether the terminal has still to take something. */
  get isBehind(): boolean {
    return this.#queue.length > 0
  }

  /** The terminal is ours to write to. */
  open(): void {
    this.#waits = setWaiting(this.#target, false)
  }

  /** Somebody else may write there now. What has not been taken is given up. */
  close(): void {
    this.#queue = []
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#waits = setWaiting(this.#target, true)
    this.#tellWaiters()
  }

  /** Hands over `data` behind all that waits, as soon as the terminal takes it. */
  write(data: string): void {
    this.#queue.push(Buffer.from(data))
    if (this.#timer === null && !this.#handOver(PATIENCE)) this.#offerLater()
  }

  /** Hands over all that waits, and `data` behind it, before anything else happens; whether that was done in `limit` milliseconds. */
  writeNow(data: string, limit: number): boolean {
    this.#queue.push(Buffer.from(data))
    return this.#handOver(limit)
  }

  /** Resolves when nothing waits any more, or `limit` milliseconds later. */
  async taken(limit = Infinity): Promise<void> {
    if (!this.isBehind) return
    await new Promise<void>(resolve => {
      const timer = limit < Infinity ? setTimeout(resolve, limit) : undefined
      this.#waiters.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #tellWaiters(): void {
    for (const waiter of this.#waiters.splice(0)) waiter()
  }

  #offerLater(): void {
    const wait = Math.min(Math.max((performance.now() - this.#tookAt) * PART, FIRST_WAIT), LONGEST_WAIT)
    this.#timer = setTimeout(() => this.#offer(), wait)
  }

  #offer(): void {
    this.#timer = null
    if (!this.#handOver(0)) return this.#offerLater()
    this.#tellWaiters()
    this.#onTaken()
  }

  /** Whether the terminal has taken all, within `limit` milliseconds. */
  #handOver(limit: number): boolean {
    const deadline = performance.now() + limit
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      const count = this.#put(first)
      if (count < first.length) this.#queue[0] = first.subarray(count)
      else this.#queue.shift()
      const now = performance.now()
      if (count > 0) this.#tookAt = now
      else if (now >= deadline) return false
      else Atomics.wait(sleeper, 0, 0, NAP)
    }
    return true
  }

  /** The number of bytes that were taken. */
  #put(bytes: Buffer): number {
    try {
      if (!this.#waits) return writeSync(this.#target.fd, bytes)
      this.#target.write(bytes)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
      // The terminal has gone: the hangup signal or the end of the input reports it.
    }
    return bytes.length
  }
}

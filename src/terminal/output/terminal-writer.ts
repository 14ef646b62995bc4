/**
 * Writes to the terminal. A terminal that does not read (a hung connection, a stopped multiplexer) must not block the program:
 * bytes that it does not take wait here and are offered again, while keys and signals are handled.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import type { WriteStream } from 'node:tty'
import { handleOf } from '../../platform/node-internals.ts'
import { clock } from '../clock.ts'

export type TerminalStream = WriteStream & { readonly fd: number }

/** Milliseconds that a frame may block the program: a terminal that reads has taken it by then. */
const PATIENCE = 10
/** Milliseconds of sleep between two tries in that time. */
const NAP = 0.2
/** The least and the most milliseconds before bytes are offered again. */
const FIRST_WAIT = 1
const LONGEST_WAIT = 32
/** The wait, as a part of the time since the terminal last took bytes. */
const PART = 1 / 8

/** The memory on which a blocking wait sleeps. */
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/**
 * Makes writes to the terminal take what they can and return, or wait. Where Node lacks that, and on Windows, they always wait. Returns
 * whether they do.
 */
export function setWaiting(stream: object, waits: boolean): boolean {
  const handle = handleOf(stream)
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

  /** Whether bytes are waiting for the terminal. */
  get isBehind(): boolean {
    return this.#queue.length > 0
  }

  /** Begins or resumes writing to the terminal. */
  open(): void {
    this.#waits = setWaiting(this.#target, false)
  }

  /** Stops writing, since another program may write now. Bytes that were not taken are dropped. */
  close(): void {
    this.#queue = []
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#waits = setWaiting(this.#target, true)
    this.#resolveWaiters()
  }

  /** Writes `data` after all waiting bytes, as soon as the terminal takes it. */
  write(data: string): void {
    this.#queue.push(Buffer.from(data))
    if (this.#timer === null && !this.#handOver(PATIENCE)) this.#offerLater()
  }

  /** Writes all waiting bytes and `data` synchronously. Returns whether that succeeded in `limit` milliseconds. */
  writeNow(data: string, limit: number): boolean {
    this.#queue.push(Buffer.from(data))
    return this.#handOver(limit)
  }

  /** Resolves when no bytes wait, or after `limit` milliseconds. */
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

  #resolveWaiters(): void {
    for (const waiter of this.#waiters.splice(0)) waiter()
  }

  #offerLater(): void {
    const wait = Math.min(Math.max((clock() - this.#tookAt) * PART, FIRST_WAIT), LONGEST_WAIT)
    this.#timer = setTimeout(() => this.#offer(), wait)
  }

  #offer(): void {
    this.#timer = null
    if (!this.#handOver(0)) return this.#offerLater()
    this.#resolveWaiters()
    this.#onTaken()
  }

  /** Whether the terminal has taken everything within `limit` milliseconds. */
  #handOver(limit: number): boolean {
    const deadline = clock() + limit
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      const count = this.#put(first)
      if (count < first.length) this.#queue[0] = first.subarray(count)
      else this.#queue.shift()
      const now = clock()
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

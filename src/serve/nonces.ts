/**
 * The nonces of this server, one for each tab, and the counters that were used with each. A nonce is a number and its HMAC: those that are
 * handed out and never used take no memory.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isSameText } from './signatures.ts'

/** Nonces that are in use at a device: tabs. */
export const MOST_NONCES = 16
/** Requests of a tab may arrive in another order than they were made. One that comes later than this many others is refused. */
export const WINDOW = 256

export class Nonces {
  readonly #secret = randomBytes(32)
  #last = 0

  next(): string {
    this.#last += 1
    return this.#made(this.#last)
  }

  /** The number of a nonce of this server; null for any other text. */
  numberOf(nonce: string): number | null {
    const [, digits] = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(nonce) ?? []
    if (digits === undefined || !isSameText(this.#made(Number(digits)), nonce)) return null
    return Number(digits)
  }

  #made(number: number): string {
    return `${number}.${createHmac('sha256', this.#secret).update(`nonce ${number}`).digest('base64url')}`
  }
}

type Used = { highest: number; counters: Set<number> }

/** What one device has used. No request counts twice. */
export class UsedCounters {
  readonly #most: number
  readonly #used = new Map<number, Used>()
  /** Nonces up to this one are used up: their counters are forgotten. */
  #floor = 0

  constructor(most = MOST_NONCES) {
    this.#most = most
  }

  /** Whether a request would be a new one. `nonce`: the device has to get another one. */
  check(nonce: number, counter: number): 'new' | 'nonce' | 'counter' {
    const used = this.#used.get(nonce)
    if (!used) return nonce > this.#floor ? 'new' : 'nonce'
    return counter > used.highest - WINDOW && !used.counters.has(counter) ? 'new' : 'counter'
  }

  /** Notes that a request was carried out. Only for one that `check` has found to be new, and whose signature is right. */
  use(nonce: number, counter: number): void {
    const used = this.#used.get(nonce) ?? { highest: 0, counters: new Set() }
    this.#used.set(nonce, used)
    used.counters.add(counter)
    used.highest = Math.max(used.highest, counter)
    for (const each of used.counters) if (each <= used.highest - WINDOW) used.counters.delete(each)
    if (this.#used.size <= this.#most) return
    const oldest = Math.min(...this.#used.keys())
    this.#used.delete(oldest)
    this.#floor = Math.max(this.#floor, oldest)
  }
}

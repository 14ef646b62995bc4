/** How often something may happen: `burst` times at once, and `perSecond` times from then on. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #elapsed: () => number
  #left: number
  #at: number

  /** `elapsed`: milliseconds, by a clock that nobody sets. */
  constructor({ perSecond, burst }: { perSecond: number; burst: number }, elapsed: () => number) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#elapsed = elapsed
    this.#left = burst
    this.#at = elapsed()
  }

  /** Whether none is left now. */
  get isUsedUp(): boolean {
    this.#refill()
    return this.#left < 1
  }

  /** Takes one. False if none is left. */
  take(): boolean {
    if (this.isUsedUp) return false
    this.#left -= 1
    return true
  }

  #refill(): void {
    const now = this.#elapsed()
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
  }
}

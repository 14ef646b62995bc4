/** When the hub has news for its pages. */

/** Milliseconds in which events are gathered. */
const GATHER = 40

/** Calls `flush` at once for the first news after a pause, and then once in a while for as long as there are any. */
export class Timing {
  readonly #now: () => number
  readonly #flush: () => void
  #timer: NodeJS.Timeout | null = null
  #at = 0
  #last = 0

  constructor(now: () => number, flush: () => void) {
    this.#now = now
    this.#flush = flush
  }

  /** It is due in this many milliseconds; null for as soon as usual. */
  due(milliseconds: number | null): void {
    const now = this.#now()
    const wait = milliseconds ?? Math.max(0, GATHER - Math.max(0, now - this.#last))
    if (this.#timer && this.#at <= now + wait) return
    this.end()
    this.#at = now + wait
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#last = this.#now()
      this.#flush()
    }, wait)
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** Wakes one that waits. A ring while nobody waits is kept. */
export class Bell {
  #hasRung = false
  #wake: ((rang: boolean) => void) | null = null

  ring(): void {
    this.#hasRung = true
    this.#wake?.(true)
  }

  /** False after this many milliseconds without a ring. */
  async rings(milliseconds: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), milliseconds)
    timer.unref()
    this.#wake = resolve
    if (this.#hasRung) resolve(true)
    const rang = await promise
    clearTimeout(timer)
    this.#wake = null
    this.#hasRung = false
    return rang
  }
}

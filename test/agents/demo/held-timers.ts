import type { DemoTimers } from '../../../src/agents/demo/timers.ts'

/** A clock that a test moves. */
export class HeldTimers implements DemoTimers {
  #now = Date.UTC(2026, 0, 2, 3, 4, 5)
  #waiting: { due: number; run: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const entry = { due: this.#now + ms, run }
    this.#waiting.push(entry)
    return () => {
      this.#waiting = this.#waiting.filter(other => other !== entry)
    }
  }

  get idle(): boolean {
    return this.#waiting.length === 0
  }

  /** Moves to the next timer and runs it. */
  step(): void {
    const next = this.#waiting.toSorted((a, b) => a.due - b.due)[0]
    if (!next) return
    this.#waiting = this.#waiting.filter(entry => entry !== next)
    this.#now = Math.max(this.#now, next.due)
    next.run()
  }

  /** Lets time pass without running a timer. */
  pass(ms: number): void {
    this.#now += ms
  }
}

/** What waits for a yes or a no of the person at the server's terminal. Nothing is decided by time but a no. */
import { randomInt } from 'node:crypto'
import type { WaitingAsk } from '../published/control.ts'

type Unnumbered<Ask> = Ask extends unknown ? Omit<Ask, 'id'> : never
export type NewAsk = Unnumbered<WaitingAsk>

/** Milliseconds for which a question stays. */
export const ASK_LASTS = 180_000
/** A question of a device that is there asks again and again; without that it goes after this time. */
export const ADMIT_LASTS = 15_000
const MOST_ASKS = 8
/** Noes after which the same is asked no more. */
export const MOST_NOES = 3

type KeptAsk = { ask: WaitingAsk; about: string; until: number; onAnswer: (yes: boolean) => void }

export class Asks {
  readonly #now: () => number
  readonly #onChange: () => void
  readonly #waiting = new Map<string, KeptAsk>()
  readonly #noes = new Map<string, number>()
  #last = 0

  constructor({ now, onChange }: { now: () => number; onChange: () => void }) {
    this.#now = now
    this.#onChange = onChange
  }

  list(): readonly WaitingAsk[] {
    this.#drop()
    return [...this.#waiting.values()].map(({ ask }) => ask)
  }

  /** The question about this that waits. */
  find(about: string): WaitingAsk | null {
    this.#drop()
    return this.#about(about)?.ask ?? null
  }

  /**
   * Asks, unless it waits already: then it stays for longer. Null if it is not asked: there were too many noes, or too much waits. `about` says
   * what it is about; `onAnswer` is called once, and not at all if nobody answers.
   */
  ask(about: string, ask: NewAsk, lasts: number, onAnswer: (yes: boolean) => void): WaitingAsk | null {
    this.#drop()
    const until = this.#now() + lasts
    const waiting = this.#about(about)
    if (waiting) {
      waiting.until = Math.max(waiting.until, until)
      return waiting.ask
    }
    if (this.isRefused(about) || this.#waiting.size >= MOST_ASKS) return null
    this.#last += 1
    const kept: KeptAsk = { ask: { ...ask, id: `ask-${this.#last}` }, about, until, onAnswer }
    this.#waiting.set(kept.ask.id, kept)
    this.#onChange()
    return kept.ask
  }

  /** Whether the person has said no so often that it is asked no more. */
  isRefused(about: string): boolean {
    return (this.#noes.get(about) ?? 0) >= MOST_NOES
  }

  /** When the first of them goes, in milliseconds since the Unix epoch; Infinity if none waits. */
  nextEnd(): number {
    return Math.min(Infinity, ...[...this.#waiting.values()].map(({ until }) => until))
  }

  answer(id: string, yes: boolean): void {
    this.#drop()
    const kept = this.#waiting.get(id)
    if (!kept) return
    this.#waiting.delete(id)
    if (!yes) this.#noes.set(kept.about, (this.#noes.get(kept.about) ?? 0) + 1)
    kept.onAnswer(yes)
    this.#onChange()
  }

  /** Takes back what waits about this. */
  forget(about: string): void {
    const kept = this.#about(about)
    if (kept && this.#waiting.delete(kept.ask.id)) this.#onChange()
  }

  #about(about: string): KeptAsk | undefined {
    return [...this.#waiting.values()].find(each => each.about === about)
  }

  #drop(): void {
    const now = this.#now()
    for (const [id, { until }] of this.#waiting) if (now >= until) this.#waiting.delete(id)
  }
}

/** A number of six digits that nobody else chose. */
export const freshNumber = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** When a yes or a no counts: after a moment without keys in which the question stays the same. Keys before that were meant for something else. */

/** Said for a yes or a no that does not count yet. A key that does nothing says why. */
export const TOO_SOON = 'Too soon after the question or another key: wait a moment, then press it again.'

/** Milliseconds, as at any question. */
const QUIET = 400

export class AnswerQuiet {
  readonly #onQuiet: (key: string) => void
  /** The key of the question that is waited for. */
  #awaited: string | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param onQuiet is called when the moment is over, with the key of the question. */
  constructor(onQuiet: (key: string) => void) {
    this.#onQuiet = onQuiet
  }

  /** Begins the moment again for the question with this key; null if nothing is asked. */
  begin(key: string | null): void {
    this.end()
    this.#awaited = key
    if (key !== null) this.#timer = setTimeout(() => this.#onQuiet(key), QUIET)
  }

  isFor(key: string | null): boolean {
    return key === this.#awaited
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

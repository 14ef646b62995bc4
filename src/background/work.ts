/** What is in progress for the attached programs, and until when the process in the background is needed. */

/** Milliseconds within which a UI must attach if there is no prompt. */
const FIRST_WAIT = 30_000

export class BackgroundWork {
  readonly #first = Promise.withResolvers<void>()
  readonly #unneeded = Promise.withResolvers<void>()
  #isFirstOver = false
  /** True while it waits for the first UI. */
  #isAwaited: boolean
  #isAttached = false
  #working = 0
  /** One operation at a time, for all programs, and none before the first prompt is over. */
  #queue: Promise<unknown> = this.#first.promise

  /** `isAwaited`: the conversation begins without a prompt, so it waits for a program that attaches. */
  constructor({ isAwaited }: { isAwaited: boolean }) {
    this.#isAwaited = isAwaited
  }

  /** A program has attached, or the last one is gone. */
  watched(isAttached: boolean): void {
    this.#isAttached = isAttached
    this.#isAwaited &&= !isAttached
    this.#check()
  }

  /** Runs an operation after the earlier ones have ended. */
  async operate<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return this.count(done)
  }

  /** Counts `work` as in progress until it has ended. */
  async count<Value>(work: Promise<Value>): Promise<Value> {
    this.#working += 1
    return work.finally(() => {
      this.#working -= 1
      this.#check()
    })
  }

  /** The first prompt is over. Resolves when the process is needed no longer. */
  async stay(): Promise<void> {
    this.#isFirstOver = true
    this.#first.resolve()
    const waiting = setTimeout(() => {
      this.#isAwaited = false
      this.#check()
    }, FIRST_WAIT)
    this.#check()
    await this.#unneeded.promise
    clearTimeout(waiting)
  }

  #check(): void {
    if (this.#isFirstOver && !this.#isAwaited && this.#working === 0 && !this.#isAttached) this.#unneeded.resolve()
  }
}

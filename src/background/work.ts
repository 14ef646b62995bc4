/** What is in progress for the attached programs, and until when the process in the background is needed. */

/** Milliseconds within which a UI must attach if there is no prompt. */
const FIRST_WAIT = 30_000
/** Milliseconds after the end of the agent's work in the background in which it may begin a turn about it. */
const AFTER_TASKS = 10_000

/** What goes on without a request: a turn that the agent began itself, its work in the background, and prompts of the queue. */
export type OwnWork = { hasTurn: boolean; hasTasks: boolean; hasPrompts: boolean }

export class BackgroundWork {
  readonly #first = Promise.withResolvers<void>()
  readonly #unneeded = Promise.withResolvers<void>()
  #isFirstOver = false
  /** True while it waits for the first UI. */
  #isAwaited: boolean
  #isAttached = false
  #working = 0
  #own: OwnWork = { hasTurn: false, hasTasks: false, hasPrompts: false }
  /** Runs after the agent's work in the background has ended. */
  #afterTasks: NodeJS.Timeout | null = null
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

  /** Called when either may have changed. */
  follow({ hasTurn, hasTasks, hasPrompts }: OwnWork): void {
    const before = this.#own
    if (before.hasTurn === hasTurn && before.hasTasks === hasTasks && before.hasPrompts === hasPrompts) return
    this.#own = { hasTurn, hasTasks, hasPrompts }
    if (before.hasTasks && !hasTasks)
      this.#afterTasks ??= setTimeout(() => {
        this.#afterTasks = null
        this.#check()
      }, AFTER_TASKS)
    this.#check()
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
    if (this.#afterTasks) clearTimeout(this.#afterTasks)
  }

  #check(): void {
    const { hasTurn, hasTasks, hasPrompts } = this.#own
    const isAtWork = this.#working > 0 || hasTurn || hasTasks || hasPrompts || this.#afterTasks !== null
    if (this.#isFirstOver && !this.#isAwaited && !isAtWork && !this.#isAttached) this.#unneeded.resolve()
  }
}

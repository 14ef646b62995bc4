/** Runs the hooks of one conversation, and keeps the last result of each. */
import type { HookEvent } from '../config/hooks.ts'
import type { WrittenHook } from '../config/layers.ts'
import { combined, noAnswer, type HookAnswer } from './answer.ts'
import { HookRuns, isOfHook, MOST_WAITING, type HookRow, type HookRunsOptions } from './hook-runs.ts'

export type HooksOptions = HookRunsOptions & {
  written: () => readonly WrittenHook[]
  /** Receives a hook's message to the user. */
  onMessage: (text: string) => void
  /** Called with the events that wait for an answer now, whenever they change. */
  onAsked?: (events: readonly HookEvent[]) => void
}

export type Hooks = {
  /** True if there are hooks for an event with this name: the tool, or whatever else the event's matcher matches. */
  has: (event: HookEvent, name?: string) => boolean
  /** Runs the hooks for an event, all at the same time. Resolves to their answer; never rejects. */
  ask: (event: HookEvent, input: object, options?: { name?: string; signal?: AbortSignal }) => Promise<HookAnswer>
  /** Runs the hooks for an event whose answer does not matter. */
  notify: (event: HookEvent, input: object, name?: string) => void
  /** Resolves when no hook runs. */
  settled: () => Promise<void>
  rows: () => readonly HookRow[]
  /** The reason why no hook runs; null if hooks run. */
  off: () => string | null
  /** Turns them on or off, until zotui exits. */
  use: (isOn: boolean) => void
  /** Ends the running hooks. */
  close: () => void
}

/** How many hooks without an answer run at the same time. For those with one it counts calls. */
const AT_ONCE = 8

export function createHooks(options: HooksOptions): Hooks {
  const hooks = new RunningHooks(options)
  return {
    has: (event, name) => hooks.has(event, name),
    ask: (event, input, how) => hooks.ask(event, input, how),
    notify: (event, input, name) => hooks.notify(event, input, name),
    settled: () => hooks.settled(),
    rows: () => hooks.rows(),
    off: () => hooks.off(),
    use: isOn => hooks.use(isOn),
    close: () => hooks.close(),
  }
}

class RunningHooks {
  readonly #options: HooksOptions
  readonly #runs: HookRuns
  /** The hooks without an answer that wait for their turn. */
  readonly #waiting: (() => Promise<unknown>)[] = []
  readonly #active = new Set<Promise<unknown>>()
  readonly #asked: HookEvent[] = []
  readonly #turns = createTurnstile(AT_ONCE, MOST_WAITING)
  readonly #isInside: boolean
  #isOn = true
  #runners = 0

  constructor(options: HooksOptions) {
    this.#options = options
    this.#runs = new HookRuns(options)
    this.#isInside = isOfHook(options.env)
  }

  has(event: HookEvent, name = ''): boolean {
    return this.#matching(event, name).length > 0
  }

  async ask(
    event: HookEvent,
    input: object,
    { name = '', signal }: { name?: string; signal?: AbortSignal } = {},
  ): Promise<HookAnswer> {
    const { onAsked, onMessage } = this.#options
    const hooks = this.#matching(event, name)
    if (hooks.length === 0) return noAnswer
    this.#asked.push(event)
    onAsked?.([...this.#asked])
    const answer = await this.#noted(this.#answerOf(hooks, this.#textOf(event, input), signal))
    this.#asked.splice(this.#asked.indexOf(event), 1)
    onAsked?.([...this.#asked])
    if (answer.message !== '') onMessage(answer.message)
    return answer
  }

  notify(event: HookEvent, input: object, name = ''): void {
    const hooks = this.#matching(event, name)
    if (hooks.length === 0) return
    const text = this.#textOf(event, input)
    for (const hook of hooks) {
      if (this.#waiting.length >= MOST_WAITING) {
        this.#runs.skip(hook)
        continue
      }
      this.#waiting.push(async () => {
        const { message } = await this.#runs.run(hook, text)
        if (message !== '') this.#options.onMessage(message)
      })
    }
    this.#next()
  }

  async settled(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active)
  }

  rows(): readonly HookRow[] {
    return this.#options.written().map(hook => this.#runs.row(hook))
  }

  off(): string | null {
    if (this.#isInside) return 'zotui was started by a hook'
    return this.#isOn ? null : 'you turned hooks off with /hooks off'
  }

  use(isOn: boolean): void {
    this.#isOn = isOn
  }

  close(): void {
    this.#waiting.length = 0
    this.#runs.end()
  }

  #matching(event: HookEvent, name: string): readonly WrittenHook[] {
    if (this.off() !== null) return []
    return this.#options.written().filter(hook => hook.event === event && hook.isTrusted && isFor(hook.matcher, name))
  }

  /** An agent may make many calls in a moment: their hooks run for a few of them at a time. */
  async #answerOf(hooks: readonly WrittenHook[], text: string, signal?: AbortSignal): Promise<HookAnswer> {
    const turn = await this.#turns.enter(this.#runs.endingWith(signal))
    if (turn === 'full') return { ...noAnswer, says: 'doubt', reason: SKIPPED }
    // Each says that it was ended.
    const own = turn === 'in' ? signal : AbortSignal.abort()
    const answers = await Promise.all(hooks.map(hook => this.#runs.run(hook, text, own)))
    if (turn === 'in') this.#turns.leave()
    return combined(answers)
  }

  /** Runs the waiting hooks, a few at a time: an agent may make many calls in a moment. */
  #next(): void {
    if (this.#runners >= AT_ONCE || this.#waiting.length === 0) return
    this.#runners += 1
    void this.#noted(this.#workOff())
    this.#next()
  }

  async #workOff(): Promise<void> {
    for (let begin = this.#waiting.shift(); begin; begin = this.#waiting.shift()) await begin()
    this.#runners -= 1
  }

  #noted<Value>(work: Promise<Value>): Promise<Value> {
    this.#active.add(work)
    return work.finally(() => this.#active.delete(work))
  }

  #textOf(event: HookEvent, input: object): string {
    return `${JSON.stringify({ ...this.#options.facts(), hook_event_name: event, ...input })}\n`
  }
}

const SKIPPED = `was skipped: ${MOST_WAITING} calls were waiting for theirs`

/** Characters of a name, which may come from an agent, that are matched. */
const LONGEST_NAME = 200

/** Matches a whole name with a regular expression, in any case. Null, '' and `*` match every name. */
export function isFor(matcher: string | null, name: string): boolean {
  if (matcher === null || matcher === '' || matcher === '*') return true
  return new RegExp(`^(?:${matcher})$`, 'is').test(name.slice(0, LONGEST_NAME))
}

/** Lets a few in at a time, in their order; further ones wait, as far as there is room. */
type Turnstile = {
  /** Resolves to `in` when it is this one's turn, which then has to call `leave`; to `full` if too many wait; to `stopped` by the signal. */
  enter: (signal?: AbortSignal) => Promise<'in' | 'full' | 'stopped'>
  leave: () => void
}

function createTurnstile(atOnce: number, mostWaiting: number): Turnstile {
  const waiting = new Set<() => void>()
  let inside = 0
  return {
    async enter(signal) {
      if (inside < atOnce) {
        inside += 1
        return 'in'
      }
      if (waiting.size >= mostWaiting) return 'full'
      const { promise, resolve } = Promise.withResolvers<'in' | 'stopped'>()
      const begin = (): void => resolve('in')
      const stop = (): void => {
        if (waiting.delete(begin)) resolve('stopped')
      }
      waiting.add(begin)
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      const outcome = await promise
      signal?.removeEventListener('abort', stop)
      return outcome
    },
    leave() {
      const [next] = waiting
      if (!next) {
        inside -= 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}

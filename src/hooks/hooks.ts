/** Runs the hooks of one conversation, and keeps the last result of each. */
import type { HookEvent } from '../config/hooks.ts'
import type { WrittenHook } from '../config/layers.ts'
import { runProgram, type ProgramResult } from '../platform/shell/run-program.ts'
import { noAnswer, readAnswer, combined, type HookAnswer } from './answer.ts'

/** The facts that every hook receives. */
export type HookFacts = {
  /** The id of the stored session; null if none is stored. */
  session_id: string | null
  /** The absolute folder in which the agent works. */
  cwd: string
  /** The machine of that folder, such as `ssh:build`; null for this one. */
  machine: string | null
  agent: string
  permission_mode: string | null
}

export type HookResult = {
  /** Milliseconds since the Unix epoch. */
  at: number
  durationMs: number
  exitCode: number | null
  says: HookAnswer['says']
  /** The reason of its answer, or else the first line that it printed. Not sanitised. */
  words: string
}

/** A hook with its last result; null if it has not run. */
export type HookRow = { hook: WrittenHook; last: HookResult | null; isRunning: boolean }

export type HooksOptions = {
  written: () => readonly WrittenHook[]
  facts: () => HookFacts
  /** The folder of this machine in which the hooks run. */
  folder: string
  /** The environment of zotui. */
  env: NodeJS.ProcessEnv
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Registers a process session that must not outlive zotui. */
  watch?: ((leader: number) => () => void) | undefined
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

/** The bytes that a hook may print. */
const MOST_OUTPUT = 1_000_000
/** The limits of hooks without an answer: how many run at the same time, and how many may wait. For those with one they count calls. */
const AT_ONCE = 8
const MOST_WAITING = 200
/** A variable that is set for every hook. A zotui that a hook starts runs no hooks. */
const MARK = 'ZOTUI_EVENT'

export function createHooks(options: HooksOptions): Hooks {
  const { written, facts, folder, env, now, watch, onMessage, onAsked } = options
  const ending = new AbortController()
  const results = new Map<string, HookResult>()
  const running = new Map<string, number>()
  const waiting: (() => Promise<unknown>)[] = []
  const active = new Set<Promise<unknown>>()
  const asked: HookEvent[] = []
  const turns = createTurnstile(AT_ONCE, MOST_WAITING)
  const isInside = (env[MARK] ?? '') !== ''
  let isOn = true
  let runners = 0
  return {
    has: (event, name = '') => matching(event, name).length > 0,
    ask,
    notify,
    async settled() {
      while (active.size > 0) await Promise.all(active)
    },
    rows: () =>
      written().map(hook => {
        const key = keyOf(hook)
        return { hook, last: results.get(key) ?? null, isRunning: (running.get(key) ?? 0) > 0 }
      }),
    off,
    use(on) {
      isOn = on
    },
    close() {
      waiting.length = 0
      ending.abort()
    },
  }

  function off(): string | null {
    if (isInside) return 'zotui was started by a hook'
    return isOn ? null : 'you turned hooks off with /hooks off'
  }

  function matching(event: HookEvent, name: string): readonly WrittenHook[] {
    if (off() !== null) return []
    return written().filter(hook => hook.event === event && hook.isTrusted && isFor(hook.matcher, name))
  }

  async function ask(
    event: HookEvent,
    input: object,
    { name = '', signal }: { name?: string; signal?: AbortSignal } = {},
  ): Promise<HookAnswer> {
    const hooks = matching(event, name)
    if (hooks.length === 0) return noAnswer
    asked.push(event)
    onAsked?.([...asked])
    const answer = await noted(answerOf(hooks, textOf(event, input), signal))
    asked.splice(asked.indexOf(event), 1)
    onAsked?.([...asked])
    if (answer.message !== '') onMessage(answer.message)
    return answer
  }

  /** An agent may make many calls in a moment: their hooks run for a few of them at a time. */
  async function answerOf(hooks: readonly WrittenHook[], text: string, signal?: AbortSignal): Promise<HookAnswer> {
    const turn = await turns.enter(signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)
    if (turn === 'full') return { ...noAnswer, says: 'doubt', reason: SKIPPED }
    // Each says that it was ended.
    const answers = await Promise.all(hooks.map(hook => run(hook, text, turn === 'in' ? signal : AbortSignal.abort())))
    if (turn === 'in') turns.leave()
    return combined(answers)
  }

  function notify(event: HookEvent, input: object, name = ''): void {
    const hooks = matching(event, name)
    if (hooks.length === 0) return
    const text = textOf(event, input)
    for (const hook of hooks) {
      if (waiting.length >= MOST_WAITING) {
        results.set(keyOf(hook), { ...left, at: now() })
        continue
      }
      waiting.push(async () => {
        const { message } = await run(hook, text)
        if (message !== '') onMessage(message)
      })
    }
    next()
  }

  /** Runs the waiting hooks, a few at a time: an agent may make many calls in a moment. */
  function next(): void {
    if (runners >= AT_ONCE || waiting.length === 0) return
    runners += 1
    void noted(workOff())
    next()
  }

  async function workOff(): Promise<void> {
    for (let begin = waiting.shift(); begin; begin = waiting.shift()) await begin()
    runners -= 1
  }

  function noted<Value>(work: Promise<Value>): Promise<Value> {
    active.add(work)
    return work.finally(() => active.delete(work))
  }

  function textOf(event: HookEvent, input: object): string {
    return `${JSON.stringify({ ...facts(), hook_event_name: event, ...input })}\n`
  }

  async function run(hook: WrittenHook, input: string, signal?: AbortSignal): Promise<HookAnswer> {
    const { event, command, timeout } = hook
    const key = keyOf(hook)
    const { session_id: session, cwd } = facts()
    const at = now()
    running.set(key, (running.get(key) ?? 0) + 1)
    const end = await runProgram({
      command,
      input,
      cwd: folder,
      env: { ...env, [MARK]: event, ZOTUI_PROJECT_DIR: cwd, ZOTUI_SESSION_ID: session ?? '' },
      timeout,
      limitBytes: MOST_OUTPUT,
      signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
      watch,
    })
    running.set(key, (running.get(key) ?? 1) - 1)
    const answer = readAnswer(event, end, { timeout, limitBytes: MOST_OUTPUT })
    const words = answer.reason || firstLine(end)
    results.set(key, { at, durationMs: end.durationMs, exitCode: end.exitCode, says: answer.says, words })
    return answer
  }
}

const SKIPPED = `was skipped: ${MOST_WAITING} calls were waiting for theirs`

const left: Omit<HookResult, 'at'> = {
  durationMs: 0,
  exitCode: null,
  says: 'doubt',
  words: `was skipped: ${MOST_WAITING} others were waiting`,
}

function keyOf({ event, matcher, command, place }: WrittenHook): string {
  return JSON.stringify([event, matcher, command, place])
}

function firstLine({ output, errors }: ProgramResult): string {
  const text = output.trim() === '' ? errors : output
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 200)
}

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

/** Runs hooks as programs, and keeps the last result of each. */
import type { WrittenHook } from '../config/layers.ts'
import { runProgram, type ProgramResult } from '../platform/shell/run-program.ts'
import { readAnswer, type HookAnswer } from './answer.ts'

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

export type HookRunsOptions = {
  facts: () => HookFacts
  /** The folder of this machine in which the hooks run. */
  folder: string
  /** The environment of zotui. */
  env: NodeJS.ProcessEnv
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Registers a process session that must not outlive zotui. */
  watch?: ((leader: number) => () => void) | undefined
}

/** The bytes that a hook may print. */
const MOST_OUTPUT = 1_000_000
/** How many hooks without an answer may wait, or calls for the answer of theirs. */
export const MOST_WAITING = 200
/** A variable that is set for every hook. A zotui that a hook starts runs no hooks. */
const MARK = 'ZOTUI_EVENT'

/** Whether a program with this environment was started by a hook. */
export function isOfHook(env: NodeJS.ProcessEnv): boolean {
  return (env[MARK] ?? '') !== ''
}

export class HookRuns {
  readonly #options: HookRunsOptions
  readonly #ending = new AbortController()
  readonly #results = new Map<string, HookResult>()
  readonly #running = new Map<string, number>()

  constructor(options: HookRunsOptions) {
    this.#options = options
  }

  async run(hook: WrittenHook, input: string, signal?: AbortSignal): Promise<HookAnswer> {
    const { env, facts, folder, now, watch } = this.#options
    const { event, command, timeout } = hook
    const key = keyOf(hook)
    const { session_id: session, cwd } = facts()
    const at = now()
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
    const end = await runProgram({
      command,
      input,
      cwd: folder,
      env: { ...env, [MARK]: event, ZOTUI_PROJECT_DIR: cwd, ZOTUI_SESSION_ID: session ?? '' },
      timeout,
      limitBytes: MOST_OUTPUT,
      signal: this.endingWith(signal),
      watch,
    })
    this.#running.set(key, (this.#running.get(key) ?? 1) - 1)
    const answer = readAnswer(event, end, { timeout, limitBytes: MOST_OUTPUT })
    const words = answer.reason || firstLine(end)
    this.#results.set(key, { at, durationMs: end.durationMs, exitCode: end.exitCode, says: answer.says, words })
    return answer
  }

  /** Notes that a hook was not run. */
  skip(hook: WrittenHook): void {
    this.#results.set(keyOf(hook), { ...left, at: this.#options.now() })
  }

  row(hook: WrittenHook): HookRow {
    const key = keyOf(hook)
    return { hook, last: this.#results.get(key) ?? null, isRunning: (this.#running.get(key) ?? 0) > 0 }
  }

  /** Aborted with this signal, or when all hooks end. */
  endingWith(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal
  }

  end(): void {
    this.#ending.abort()
  }
}

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

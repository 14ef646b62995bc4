/** Runs the PreToolUse hooks, once for each call. */
import { isDeepStrictEqual } from 'node:util'
import { noAnswer, type HookAnswer } from './answer.ts'
import type { Hooks } from './hooks.ts'

/** The answer of the PreToolUse hooks to a call, which they saw with this input. */
type Looked = { tool: string; input: unknown; answer: Promise<HookAnswer>; ending: AbortController }

export class LookedCalls {
  readonly #hooks: Pick<Hooks, 'has' | 'ask'>
  readonly #looked = new Map<string, Looked>()

  constructor(hooks: Pick<Hooks, 'has' | 'ask'>) {
    this.#hooks = hooks
  }

  /** Runs the hooks; again if the arguments of the call have changed. `key` identifies the call. */
  look(key: string, tool: string, input: unknown): Promise<HookAnswer> {
    const before = this.#looked.get(key)
    if (before?.tool === tool && isDeepStrictEqual(before.input, input)) return before.answer
    before?.ending.abort()
    if (!this.#hooks.has('PreToolUse', tool)) return Promise.resolve(noAnswer)
    const ending = new AbortController()
    const facts = { tool_name: tool, tool_input: input, tool_use_id: key }
    const answer = this.#hooks.ask('PreToolUse', facts, { name: tool, signal: ending.signal })
    this.#looked.set(key, { tool, input, answer, ending })
    return answer
  }

  /** Ends the hooks that still run for a call. */
  end(key: string): void {
    this.#looked.get(key)?.ending.abort()
  }

  /** The id of the call may be used again. */
  forget(key: string): void {
    this.#looked.delete(key)
  }

  clear(): void {
    this.#looked.clear()
  }
}

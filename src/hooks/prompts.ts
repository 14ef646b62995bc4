/** The hooks that run before a prompt is sent, and the context from the SessionStart hooks. */
import { hookNote } from '../conversation/queries/hook-note.ts'
import { sentence } from '../text/sentence.ts'
import type { Hooks } from './hooks.ts'

/** Call `onSent` when the prompt is sent. `words` is the sentence that says why it is not sent. */
export type PromptCheck = { ok: true; context: readonly string[]; onSent: () => void } | { ok: false; words: string }

type SessionSource = 'startup' | 'resume' | 'clear'

export type PromptHooks = {
  begin: (source: SessionSource) => void
  /** True if a prompt must be checked now. */
  apply: () => boolean
  /** Runs the hooks for a prompt. Resolves to the texts to send with it, or to the reason why it is not sent. */
  check: (prompt: string) => Promise<PromptCheck>
  /** Ends the current check, so that the prompt is not sent. False if there is none. */
  stop: () => boolean
}

const STOPPED = 'Stopped the hooks that check the prompt.'

export function createPromptHooks(hooks: Hooks): PromptHooks {
  /** The text of the SessionStart hooks, until a prompt is sent with it. */
  let begun: Promise<string> | null = null
  let checking: AbortController | null = null

  return {
    begin(source) {
      begun = hooks.has('SessionStart', source)
        ? hooks.ask('SessionStart', { source }, { name: source }).then(({ context }) => context)
        : null
    },
    apply: () => begun !== null || hooks.has('UserPromptSubmit'),
    check,
    stop() {
      checking?.abort()
      return checking !== null
    },
  }

  async function check(prompt: string): Promise<PromptCheck> {
    const own = new AbortController()
    checking = own
    const { promise: stopped, resolve: onStop } = Promise.withResolvers<null>()
    own.signal.addEventListener('abort', () => onStop(null), { once: true })
    const starting = begun
    const first = await Promise.race([starting ?? '', stopped])
    const answer = first === null ? null : await hooks.ask('UserPromptSubmit', { prompt }, { signal: own.signal })
    // Another prompt may be checked by now.
    if (checking === own) checking = null
    if (first === null || answer === null || own.signal.aborted) return { ok: false, words: STOPPED }
    if (answer.says === 'deny') return blocked(answer.reason || 'it gave no reason')
    if (answer.says === 'doubt') return blocked(`it ${answer.reason}`)
    const context = [first, answer.context].filter(text => text !== '').map(hookNote)
    return { ok: true, context, onSent: () => void (begun = begun === starting ? null : begun) }
  }
}

function blocked(reason: string): PromptCheck {
  return { ok: false, words: `A hook blocked the prompt: ${sentence(reason)}` }
}

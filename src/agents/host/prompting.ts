/** The prompt in flight, from its request to the end of its turn. One at a time. */
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { promptSent } from '../../agent/prompt-sent.ts'

/** The parts of the run that a prompt needs. */
export type PromptingContext = {
  emit: (event: AgentEvent) => void
  now: () => number
  /** The time from the abort until the message that the agent has not stopped, in milliseconds. */
  abortLimit: number
  /** Sends it. The agent's answers call `accepted` and then `end`. */
  send: () => void
  /** Asks the agent to stop, and answers its open requests. An abort waits until the agent has accepted the prompt. */
  cancel: () => void
}

export type Prompting = {
  readonly prompt: Prompt
  /** Resolves, never rejects, when the turn is over and all its events are emitted. */
  readonly over: Promise<void>
  readonly isOver: boolean
  readonly isAborted: boolean
  announce(): void
  /** Sends it, unless it was refused or aborted before. */
  start(): void
  refuse(message: string): void
  /** The agent has begun: from here on a cancellation reaches it. */
  accepted(): void
  /** The turn is over with these events. */
  end(events: readonly AgentEvent[]): void
  abort(): void
}

export function createPrompting(prompt: Prompt, context: PromptingContext): Prompting {
  const { emit, now } = context
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let phase: 'waiting' | 'sent' | 'accepted' | 'over' = 'waiting'
  let isAborted = false
  let overdue: NodeJS.Timeout | undefined

  return {
    prompt,
    over,
    get isOver() {
      return phase === 'over'
    },
    get isAborted() {
      return isAborted
    },
    announce() {
      emit(promptSent(prompt, now()))
    },
    start() {
      if (phase !== 'waiting') return
      if (isAborted) return finish([{ type: 'turn_ended', at: now() }])
      phase = 'sent'
      context.send()
    },
    refuse(message) {
      if (phase === 'waiting') finish([{ type: 'prompt_refused', at: now(), message }])
    },
    accepted() {
      if (phase !== 'sent') return
      phase = 'accepted'
      emit({ type: 'prompt_accepted', at: now() })
      if (isAborted) context.cancel()
    },
    end(events) {
      if (phase === 'sent' || phase === 'accepted') finish(events)
    },
    abort() {
      if (isAborted || phase === 'over') return
      isAborted = true
      overdue = setTimeout(() => emit({ type: 'abort_overdue', at: now() }), context.abortLimit)
      emit({ type: 'abort_requested', at: now() })
      if (phase === 'accepted') context.cancel()
    },
  }

  function finish(events: readonly AgentEvent[]): void {
    phase = 'over'
    clearTimeout(overdue)
    for (const event of events) emit(event)
    resolve()
  }
}

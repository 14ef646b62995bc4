/** The prompt in flight, from its request to the end of its turn. One at a time. */
import type { Prompt, PromptImage } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { RpcReply } from '../transport/json-rpc.ts'
import type { AcpLimits } from './limits.ts'
import { readPromptResult } from './frame.ts'
import { promptBlocks } from './turn/content.ts'
import type { TurnEnd } from './turn/turn.ts'

/** The parts of the run that a prompt needs. */
export type PromptingContext = {
  emit: (event: AgentEvent) => void
  now: () => number
  limits: AcpLimits
  send: (blocks: readonly object[], onReply: (reply: RpcReply) => void) => void
  /** Asks the agent to stop, and answers all that it asks. */
  cancel: () => void
  /** The turn begins and ends in the session. */
  begin: () => void
  end: (end: TurnEnd, isAborted: boolean) => AgentEvent[]
}

export type Prompting = {
  /** Resolves, never rejects, when the turn is over and all its events are emitted. */
  readonly over: Promise<void>
  readonly isOver: boolean
  announce(): void
  /** Sends it, unless it was refused or aborted before. */
  start(): void
  refuse(message: string): void
  abort(): void
}

export function createPrompting(prompt: Prompt, context: PromptingContext): Prompting {
  const { emit, now, limits } = context
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let phase: 'waiting' | 'sent' | 'over' = 'waiting'
  let isAborted = false
  let overdue: NodeJS.Timeout | undefined

  return {
    over,
    get isOver() {
      return phase === 'over'
    },
    announce() {
      const { text, images, before = [], memory } = prompt
      emit({
        type: 'prompt_sent',
        at: now(),
        text,
        images: images.map(measure),
        ...(before.length > 0 ? { before: [...before] } : {}),
        ...(memory ? { memory: memory.facts } : {}),
      })
    },
    start() {
      if (phase !== 'waiting') return
      if (isAborted) return finish([{ type: 'turn_ended', at: now() }])
      phase = 'sent'
      context.begin()
      context.send(promptBlocks(prompt), reply => {
        if (phase === 'sent') finish(context.end(endOf(reply), isAborted))
      })
      // Nothing acknowledges a prompt: from here on a cancellation reaches it.
      if (!isFinished()) emit({ type: 'prompt_accepted', at: now() })
    },
    refuse(message) {
      if (phase === 'waiting') finish([{ type: 'prompt_refused', at: now(), message }])
    },
    abort() {
      if (isAborted || phase === 'over') return
      isAborted = true
      overdue = setTimeout(() => emit({ type: 'abort_overdue', at: now() }), limits.abort)
      emit({ type: 'abort_requested', at: now() })
      if (phase === 'sent') context.cancel()
    },
  }

  function isFinished(): boolean {
    return phase === 'over'
  }

  function finish(events: readonly AgentEvent[]): void {
    phase = 'over'
    clearTimeout(overdue)
    for (const event of events) emit(event)
    resolve()
  }
}

function endOf(reply: RpcReply): TurnEnd {
  if (!reply.ok) return reply.ending ? 'cut' : { error: reply.error }
  return { result: readPromptResult(reply.result) ?? { stopReason: '', usage: null, _meta: null } }
}

function measure({ data, ...facts }: PromptImage): Omit<PromptImage, 'data'> & { bytes: number } {
  return { ...facts, bytes: Buffer.byteLength(data, 'base64') }
}

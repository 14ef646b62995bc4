/**
 * The operation in flight, from its request to its end. zot takes one at a time: a second prompt would be run in random
 * order, and an abort before the reply to the request would be lost.
 *
 *     starting --reply--> running --abort()--> aborting --> over
 *
 * A prompt is over with `done`. A compaction has no such word: it is over with `compact_done`, with `error`, or some time
 * after an abort. Each is over when it is refused, and when zot ends.
 */
import type { Prompt, PromptImage } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { ClientReply, ZotClient } from './client.ts'
import type { WireCommand } from './command.ts'
import type { ZotEvent } from './frame.ts'
import type { ZotLimits } from './limits.ts'
import { errorMessage, translate } from './translate.ts'

/** What the agent is asked for. */
export type Task = { type: 'prompt'; prompt: Prompt } | { type: 'compact' }

/** As zot is told: it knows nothing of whose words a message begins with. */
function commandOf(task: Task): OperationCommand {
  if (task.type === 'compact') return { type: 'compact' }
  const { text, images, before = [], memory } = task.prompt
  const message = [...(memory ? [memory.text, ''] : []), ...before, text].join('\n')
  const attached = images.map(image => ({ mime_type: image.mimeType, data: image.data }))
  return { type: 'prompt', message, ...(attached.length > 0 ? { images: attached } : {}) }
}

type OperationCommand = Extract<WireCommand, { type: 'prompt' | 'compact' }>

export type OperationContext = {
  client: ZotClient
  emit: (event: AgentEvent) => void
  now: () => number
  limits: ZotLimits
}

/** What an operation's end means in events; the rest is the same for both. */
type Words = {
  announced(at: number): AgentEvent
  started(at: number): AgentEvent[]
  refused(message: string, at: number): AgentEvent
  /** How this event ends the operation, undefined where it does not. */
  ending(event: ZotEvent, aborted: boolean, at: number): AgentEvent | undefined
  /** The agent's end is told by an event of its own; what is to be said before it. */
  cutShort(aborted: boolean, at: number): AgentEvent[]
}

const promptWords = ({ text, images, before = [], memory }: Prompt): Words => ({
  announced: at => ({
    type: 'prompt_sent',
    at,
    text,
    images: images.map(measure),
    ...(before.length > 0 ? { before: [...before] } : {}),
    ...(memory ? { memory: memory.facts } : {}),
  }),
  started: at => [{ type: 'prompt_accepted', at }],
  refused: (message, at) => ({ type: 'prompt_refused', at, message }),
  ending: (event, _aborted, at) => (event.type === 'done' ? { type: 'turn_ended', at } : undefined),
  cutShort: () => [],
})

const compactionWords: Words = {
  announced: at => ({ type: 'compaction_started', at }),
  started: () => [],
  refused: (message, at) => ({ type: 'compaction_failed', at, message }),
  ending(event, aborted, at) {
    if (event.type === 'compact_done') return { type: 'compaction_finished', at, summary: event.summary }
    // Upstream never sends `done` here; a fork always does, alone where the compaction came to nothing.
    if (event.type !== 'error' && event.type !== 'done') return undefined
    if (aborted) return { type: 'compaction_aborted', at }
    const message = event.type === 'error' ? errorMessage(event) : 'zot ended the compaction without a summary'
    return { type: 'compaction_failed', at, message }
  },
  cutShort: (aborted, at) => [
    aborted ? { type: 'compaction_aborted', at } : { type: 'compaction_failed', at, message: 'zot ended' },
  ],
}

function wordsOf(task: Task): Words {
  return task.type === 'prompt' ? promptWords(task.prompt) : compactionWords
}

/** What is told of an operation that is asked for while no zot runs. */
export function refusedWithout(task: Task, message: string, at: number): AgentEvent[] {
  const words = wordsOf(task)
  return [words.announced(at), words.refused(message, at)]
}

function measure({ data, ...facts }: PromptImage): Omit<PromptImage, 'data'> & { bytes: number } {
  return { ...facts, bytes: Buffer.byteLength(data, 'base64') }
}

export class ZotOperation {
  /** Resolves, never rejects, when it is over and all is told. */
  readonly over: Promise<void>

  #phase: 'starting' | 'running' | 'aborting' | 'over' = 'starting'
  #abortRequested = false
  #timers: NodeJS.Timeout[] = []
  #resolve: () => void = () => {}
  readonly #command: OperationCommand
  readonly #words: Words
  readonly #context: OperationContext

  constructor(task: Task, context: OperationContext) {
    this.#command = commandOf(task)
    this.#context = context
    this.#words = wordsOf(task)
    this.over = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  get isOver(): boolean {
    return this.#phase === 'over'
  }

  /** Bytes of the line that zot gets. */
  get size(): number {
    return Buffer.byteLength(JSON.stringify(this.#command))
  }

  /** Tells that it was asked for. */
  announce(): void {
    this.#context.emit(this.#words.announced(this.#context.now()))
  }

  /** Sends the request. Once only. */
  start(): void {
    this.#context.client.send<'prompt' | 'compact'>(this.#command, reply => this.#started(reply))
  }

  /** Takes an event of zot; false where it is none of this operation. */
  handle(event: ZotEvent): boolean {
    // zot starts an operation with its reply: what comes earlier is left over from the one before.
    if (this.#phase === 'starting' || this.#phase === 'over') return false
    const at = this.#context.now()
    const ending = this.#words.ending(event, this.#abortRequested, at)
    if (ending) this.#finish(ending)
    else for (const translated of translate(event, at)) this.#context.emit(translated)
    return true
  }

  /** Asks zot to stop, as soon as it can hear that. Once: a second abort could hit what comes after. */
  abort(): void {
    const { emit, now, limits } = this.#context
    if (this.#abortRequested || this.#phase === 'over') return
    this.#abortRequested = true
    this.#after(limits.abort, () => emit({ type: 'abort_overdue', at: now() }))
    emit({ type: 'abort_requested', at: now() })
    this.#sendAbort()
  }

  /** Ends it because zot ended, or before it was started. */
  cutShort(): void {
    if (!this.isOver) this.#finish(...this.#words.cutShort(this.#abortRequested, this.#context.now()))
  }

  /** Ends it without zot's having a part in it. */
  refuse(message: string): void {
    if (!this.isOver) this.#finish(this.#words.refused(message, this.#context.now()))
  }

  #started(reply: ClientReply<undefined>): void {
    // Where zot ended, `cutShort` is called after this.
    if (this.#phase !== 'starting' || (!reply.ok && reply.ending)) return
    if (!reply.ok) return this.refuse(reply.message)
    this.#phase = 'running'
    for (const event of this.#words.started(this.#context.now())) this.#context.emit(event)
    this.#sendAbort()
  }

  /** Sends the abort that was asked for, if zot can hear it by now and has not heard it yet. */
  #sendAbort(): void {
    const { client, now, limits } = this.#context
    if (!this.#abortRequested || this.#phase !== 'running') return
    this.#phase = 'aborting'
    client.send<'abort'>({ type: 'abort' }, () => {
      if (this.#command.type !== 'compact') return
      this.#after(limits.compactionGrace, () => this.#finish({ type: 'compaction_aborted', at: now() }))
    })
  }

  #after(milliseconds: number, action: () => void): void {
    if (!this.isOver) this.#timers.push(setTimeout(action, milliseconds))
  }

  #finish(...events: AgentEvent[]): void {
    this.#phase = 'over'
    for (const timer of this.#timers) clearTimeout(timer)
    for (const event of events) this.#context.emit(event)
    this.#resolve()
  }
}

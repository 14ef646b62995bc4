/**
 * The operation in flight, from its request to its end. Only one is sent at a time: zot runs waiting prompts in random order,
 * and loses an abort that comes before the reply to the request.
 *
 *     starting --reply--> running --abort()--> aborting --> over
 *
 * A prompt ends with `done`, unless calls are parked (`guard/parking.ts`): then it goes on with another prompt of zotui's own. A compaction has no common end: it ends with `compact_done`, with `error`, or some time after
 * an abort. Both end when they are refused and when zot ends.
 */
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent, EventOf } from '../../agent/event.ts'
import { promptSent } from '../../agent/prompt-sent.ts'
import type { ClientReply, ZotClient } from './client.ts'
import type { WireCommand } from './command.ts'
import type { ZotEvent } from './frame.ts'
import type { CallGuard } from './guard/call-guard.ts'
import type { ZotLimits } from './limits.ts'
import { errorMessage, translate } from './translate.ts'

/** A request to the agent. */
export type ZotTask = { type: 'prompt'; prompt: Prompt } | { type: 'compact' }

/** Makes the command. zot cannot tell which part of the message the user wrote. */
function commandOf(task: ZotTask, note: string | undefined): OperationCommand {
  if (task.type === 'compact') return { type: 'compact' }
  const { text, images, before = [], memory } = task.prompt
  const message = [
    ...(note === undefined ? [] : [note, '']),
    ...(memory ? [memory.text, ''] : []),
    ...before,
    text,
  ].join('\n')
  const attached = images.map(image => ({ mime_type: image.mimeType, data: image.data }))
  return { type: 'prompt', message, ...(attached.length > 0 ? { images: attached } : {}) }
}

type OperationCommand = Extract<WireCommand, { type: 'prompt' | 'compact' }>

export type OperationContext = {
  client: ZotClient
  emit: (event: AgentEvent) => void
  now: () => number
  limits: ZotLimits
  guard?: CallGuard | undefined
  /** Told to zot before the prompt. */
  note?: string | undefined
}

/** The events of one kind of operation; the rest is the same for both kinds. */
type OperationEvents = {
  announced(at: number): AgentEvent
  started(at: number): AgentEvent[]
  refused(message: string, at: number): AgentEvent
  /** The event that ends the operation if zot's event does; undefined otherwise. */
  ending(event: ZotEvent, aborted: boolean, at: number): AgentEvent | undefined
  /** The events before `agent_ended`, if zot ends meanwhile. */
  cutShort(aborted: boolean, at: number): AgentEvent[]
}

const promptEvents = (prompt: Prompt): OperationEvents => ({
  announced: at => promptSent(prompt, at),
  started: at => [{ type: 'prompt_accepted', at }],
  refused: (message, at) => ({ type: 'prompt_refused', at, message }),
  ending: (event, _aborted, at) => (event.type === 'done' ? { type: 'turn_ended', at } : undefined),
  cutShort: () => [],
})

/** zot says it of a conversation that has nothing but its latest messages, which stay as they are. */
const NOTHING = /^nothing to compact\b/i

function notCompacted(message: string, at: number): EventOf<'compaction_failed'> {
  return { type: 'compaction_failed', at, message, ...(NOTHING.test(message) && { nothing: true }) }
}

const compactionEvents: OperationEvents = {
  announced: at => ({ type: 'compaction_started', at }),
  started: () => [],
  refused: notCompacted,
  ending(event, aborted, at) {
    if (event.type === 'compact_done') return { type: 'compaction_finished', at, summary: event.summary }
    // Upstream never sends `done` here; a fork always does, and only `done` if the compaction failed.
    if (event.type !== 'error' && event.type !== 'done') return undefined
    if (aborted) return { type: 'compaction_aborted', at }
    const message = event.type === 'error' ? errorMessage(event) : 'zot ended the compaction without a summary'
    return notCompacted(message, at)
  },
  cutShort: (aborted, at) => [
    aborted ? { type: 'compaction_aborted', at } : { type: 'compaction_failed', at, message: 'zot ended' },
  ],
}

function eventsOf(task: ZotTask): OperationEvents {
  return task.type === 'prompt' ? promptEvents(task.prompt) : compactionEvents
}

/** The events of an operation that is requested while no zot runs. */
export function refusedWithout(task: ZotTask, message: string, at: number): AgentEvent[] {
  const events = eventsOf(task)
  return [events.announced(at), events.refused(message, at)]
}

/** The times that zot repeats a failed call, and the milliseconds before the first; each further pause is twice as long. */
const RETRIES = 3
const FIRST_RETRY = 2000

export class ZotOperation {
  /** Resolves, never rejects, when it is over and all events are emitted. */
  readonly over: Promise<void>

  #phase: 'starting' | 'running' | 'aborting' | 'parked' | 'over' = 'starting'
  /** The steps of the earlier prompts of this operation, and of all of them. */
  #earlierSteps = 0
  #steps = 0
  #abortRequested = false
  /** The failed tries of this step. */
  #failures = 0
  #timers: NodeJS.Timeout[] = []
  #resolve: () => void = () => {}
  readonly #command: OperationCommand
  readonly #events: OperationEvents
  readonly #context: OperationContext

  constructor(task: ZotTask, context: OperationContext) {
    this.#command = commandOf(task, context.note)
    this.#context = context
    this.#events = eventsOf(task)
    this.over = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  get isOver(): boolean {
    return this.#phase === 'over'
  }

  /** The length of the request line, in bytes. */
  get size(): number {
    return Buffer.byteLength(JSON.stringify(this.#command))
  }

  /** Emits the event of the request. */
  announce(): void {
    this.#context.emit(this.#events.announced(this.#context.now()))
  }

  /** Sends the request. Once only. */
  start(): void {
    this.#context.guard?.begin()
    this.#context.client.send<'prompt' | 'compact'>(this.#command, reply => this.#started(reply))
  }

  /** Handles an event of zot; false if it does not belong to this operation. */
  handle(event: ZotEvent): boolean {
    // zot starts an operation with its reply; earlier events belong to the operation before.
    if (this.#phase !== 'running' && this.#phase !== 'aborting') return false
    const at = this.#context.now()
    const ending = this.#events.ending(event, this.#abortRequested, at)
    if (ending && this.#context.guard?.isParked) void this.#goOn(this.#context.guard)
    else if (ending) this.#finish(ending)
    else for (const translated of translate(this.#counted(event), at)) this.#context.emit(this.#withRetry(translated))
    return true
  }

  /** Asks zot to stop, as soon as the abort can reach it. Only once: a second abort could stop the next operation. */
  abort(): void {
    const { emit, now, limits } = this.#context
    if (this.#abortRequested || this.#phase === 'over') return
    this.#abortRequested = true
    this.#after(limits.abort, () => emit({ type: 'abort_overdue', at: now() }))
    emit({ type: 'abort_requested', at: now() })
    // Before the abort: zot runs what is not answered.
    this.#context.guard?.stop()
    this.#sendAbort()
  }

  /** Ends the operation because zot ended. */
  cutShort(): void {
    if (!this.isOver) this.#finish(...this.#events.cutShort(this.#abortRequested, this.#context.now()))
  }

  /** Ends the operation as refused. */
  refuse(message: string): void {
    if (!this.isOver) this.#finish(this.#events.refused(message, this.#context.now()))
  }

  #started(reply: ClientReply<undefined>): void {
    // If zot ended, `cutShort` is called after this.
    if (this.#phase !== 'starting' || (!reply.ok && reply.ending)) return
    const isFirst = this.#earlierSteps === 0
    if (!reply.ok) return isFirst ? this.refuse(reply.message) : this.#fail(reply.message)
    this.#phase = 'running'
    if (isFirst) for (const event of this.#events.started(this.#context.now())) this.#context.emit(event)
    this.#sendAbort()
  }

  /** Goes on after zot's own turn: waits for the user, and tells zot what came of the parked calls. */
  async #goOn(guard: CallGuard): Promise<void> {
    this.#phase = 'parked'
    this.#earlierSteps = this.#steps
    const message = await guard.outcomes()
    if (this.isOver) return
    if (this.#abortRequested) return this.#finish({ type: 'turn_ended', at: this.#context.now() })
    this.#phase = 'starting'
    this.#context.client.send<'prompt'>({ type: 'prompt', message }, reply => this.#started(reply))
  }

  #fail(message: string): void {
    const at = this.#context.now()
    this.#finish({ type: 'error_reported', at, message }, { type: 'turn_ended', at })
  }

  /** zot repeats a failed call three times, after 2, 4 and 8 s, and does not tell; if it does not repeat it, the turn ends at once. */
  #withRetry(event: AgentEvent): AgentEvent {
    if (event.type === 'step_started') this.#failures = 0
    if (event.type !== 'step_ended' || event.stop !== 'error' || this.#abortRequested) return event
    this.#failures += 1
    return this.#failures > RETRIES ? event : { ...event, retryMs: FIRST_RETRY * 2 ** (this.#failures - 1) }
  }

  /** zot counts the steps of each prompt from 1. */
  #counted(event: ZotEvent): ZotEvent {
    if (event.type !== 'turn_start') return event
    this.#steps = this.#earlierSteps + event.step
    return { ...event, step: this.#steps }
  }

  /** Sends a requested abort once it can reach zot. */
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
    this.#context.guard?.end()
    for (const event of events) this.#context.emit(event)
    this.#resolve()
  }
}

/** One run of zot, from the start of its process to its end: what may be sent when, and what its end means. */
import type { Model, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { lineDropped } from '../host/life.ts'
import type { Transport } from '../transport/transport.ts'
import { createZotClient } from './client.ts'
import type { ClientReply, ZotClient } from './client.ts'
import { explain } from './explain.ts'
import type { EndFacts } from './explain.ts'
import type { ZotEvent } from './frame.ts'
import { CallGuard, type CallGuardOptions } from './guard/call-guard.ts'
import { describeModel, readModels, shakeHands } from './handshake.ts'
import type { Greeting } from './handshake.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { ZotLimits } from './limits.ts'
import { ZotOperation } from './operation.ts'
import type { ZotTask } from './operation.ts'
import { translate } from './translate.ts'
import { startWarnings } from './warnings.ts'
import type { RequestedModel } from './warnings.ts'

export type RunOptions = {
  transport: Transport
  name: string
  asked: RequestedModel
  /** The host that prompts for this provider go to; undefined for the provider's own. */
  serverFor: (provider: string) => string | undefined
  token: string | undefined
  version: string | undefined
  limits: ZotLimits
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  redact: (text: string) => string
  /** The guard that asks about zot's calls; null for a zot that runs them unasked. */
  guarded: Pick<CallGuardOptions, 'link' | 'judge' | 'toolsOf' | 'folder' | 'watch'> | null
  /** Warnings to add to those of the start. */
  remarks: readonly string[]
  /** Called before `agent_ended` is emitted. */
  onGone: () => void
}

/** A change of the conversation or the model: the request, and the event of its success. */
export type RunChange<Data> = {
  request: (client: ZotClient) => Promise<ClientReply<Data>>
  done: (data: Data, greeting: Greeting) => AgentEvent
}

export const NOT_RUNNING = 'zot is not running'
const NOT_GUARDED = 'zot started without the guard that asks before calls run'
const BUSY = 'zot is busy: wait until it is done, or stop it'
/** The answer of later versions to a change while they work, and for a moment after `done`. */
const BUSY_REPLY = 'agent is busy'

export class ZotRun {
  /** Resolves, never rejects, after `agent_ended`. */
  readonly gone: Promise<void>

  readonly #options: RunOptions
  readonly #client: ZotClient
  readonly #guard: CallGuard | undefined
  #greeting: Greeting | undefined
  #operation: ZotOperation | undefined
  /** The pending changes, one after the other; an operation waits for them. Never rejects. */
  #changes: Promise<unknown> = Promise.resolve()
  #cause: EndFacts['cause'] = null
  #over = false

  constructor(options: RunOptions) {
    this.#options = options
    this.#client = createZotClient(options.transport, {
      onEvent: event => this.#handle(event),
      redact: options.redact,
      onUnknown: (line, reason) => options.debug(`${reason}: ${line}`),
      onDropped: bytes => options.emit(lineDropped('zot', bytes, options.now())),
    })
    const { guarded, emit, now, limits } = options
    if (guarded) {
      this.#guard = new CallGuard({ ...guarded, emit, now, limits, onStop: () => this.abort() })
      void guarded.link.lost.then(why => this.#withoutGuard(why))
    }
    this.gone = this.#watch()
  }

  /** Performs the handshake. Resolves after `agent_started` or `agent_ended`. */
  async open(): Promise<void> {
    const { token, limits, transport } = this.#options
    const outcome = await shakeHands(this.#client, { token, limit: limits.hello })
    if ('models' in outcome && this.#guard) {
      const guarded = await withTimeout(limits.guard, Promise.race([this.#guard.ready, this.gone]))
      if (guarded === 'timed out') this.#killUnguarded(NOT_GUARDED)
    }
    if ('models' in outcome && !this.#cause && !this.#over) return this.#started(outcome)
    if ('type' in outcome && outcome.type !== 'ended') {
      this.#cause ??= outcome
      if (outcome.type === 'silent') transport.kill('SIGKILL')
      else await this.#shutDown()
    }
    await this.gone
  }

  /** Runs an operation. Resolves when it is over and all its events are emitted. One at a time. */
  async operate(task: ZotTask, note?: string): Promise<void> {
    if (this.#isBusy) throw new Error('an operation is in flight: the caller must wait for its end')
    const { limits, now, emit } = this.#options
    const operation = new ZotOperation(task, { client: this.#client, limits, now, emit, guard: this.#guard, note })
    this.#operation = operation
    operation.announce()
    const bytes = operation.size
    if (!this.#greeting) operation.refuse(NOT_RUNNING)
    else if (bytes > limits.promptBytes) operation.refuse(tooLong(bytes, limits.promptBytes))
    await this.#changes
    if (task.type === 'prompt') await task.prompt.ready
    if (!operation.isOver) operation.start()
    await operation.over
  }

  abort(): void {
    this.#operation?.abort()
  }

  /** Makes a change. Refused while an operation runs: an early zot would carry it out in the middle of the turn. */
  async change<Data>({ request, done }: RunChange<Data>): Promise<Reply> {
    const greeting = this.#greeting
    if (!greeting) return { ok: false, message: NOT_RUNNING }
    if (this.#isBusy) return { ok: false, message: BUSY }
    const outcome = this.#changes.then(() => this.#insist(request))
    this.#changes = outcome
    const reply = await outcome
    if (!reply.ok) return { ok: false, message: reply.message }
    this.#options.emit(done(reply.data, greeting))
    return { ok: true, value: undefined }
  }

  /** Asks about the calls; undefined if calls run without permission. */
  get guard(): CallGuard | undefined {
    return this.#guard
  }

  get isRunning(): boolean {
    return !this.#over
  }

  /** zot's answer to the handshake; undefined before it. */
  get greeting(): Greeting | undefined {
    return this.#greeting
  }

  async listModels(): Promise<Reply<readonly Model[]>> {
    if (!this.#greeting) return { ok: false, message: NOT_RUNNING }
    const models = await readModels(this.#client)
    // If the list cannot be read again, the list from the start is still right.
    if (models.length > 0) this.#greeting.models = models
    return { ok: true, value: this.#greeting.models }
  }

  async ping(timeout: number): Promise<boolean> {
    const reply = await withTimeout(timeout, this.#client.request({ type: 'ping' }))
    // A refusal is an answer too.
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  /** Ends zot cleanly: it aborts first, because a busy zot finishes its work and a killed one leaves its shell commands running. */
  async close(): Promise<void> {
    this.#cause ??= { type: 'closed' }
    this.abort()
    const { transport, limits, guarded } = this.#options
    const stops = this.#operation ? await withTimeout(limits.closeAbort, this.#operation.over) : undefined
    // If zot ignored the abort, zotui does not wait for it again.
    if (stops === 'timed out') transport.kill('SIGKILL')
    await this.#shutDown()
    await guarded?.link.close()
  }

  async kill(): Promise<void> {
    this.#cause = { type: 'killed' }
    this.#options.transport.kill('SIGKILL')
    await this.gone
  }

  get #isBusy(): boolean {
    return this.#operation !== undefined && !this.#operation.isOver
  }

  #started(greeting: Greeting): void {
    const { name, asked, serverFor, transport, now, emit, remarks } = this.#options
    this.#greeting = greeting
    const { version, model, reasoning } = greeting
    const server = serverFor(greeting.provider)
    const fields = { version, reasoning, ...describeModel(greeting, model), ...(server && { server }) }
    emit({ type: 'agent_started', at: now(), agent: name, ...fields })
    for (const message of [...startWarnings(asked, greeting, transport.words()), ...remarks]) {
      emit({ type: 'warning_raised', at: now(), message })
    }
  }

  #handle(event: ZotEvent): void {
    const { now, emit, debug } = this.#options
    const seen = this.#guard ? this.#guard.translate(event) : event
    if (seen) this.#pass(seen, { now, emit, debug })
  }

  #pass(event: ZotEvent, { now, emit, debug }: Pick<RunOptions, 'now' | 'emit' | 'debug'>): void {
    // Extensions may send events at any time; all others belong to an operation.
    if (!event.type.startsWith('ext_')) {
      if (this.#operation?.handle(event)) return
      debug(`an event of no operation: ${event.type}`)
      // Tools that ran are reported anyway.
      if (event.type !== 'tool_call' && event.type !== 'tool_result') return
    }
    for (const translated of translate(event, now())) emit(translated)
  }

  /** When zot ends, its guard ends too. Only zot's end is reported. */
  async #withoutGuard(why: string): Promise<void> {
    if ((await this.#options.transport.freeze?.()) !== false) this.#killUnguarded(why)
  }

  /** A zot without its guard would run every call. */
  #killUnguarded(why: string): void {
    if (this.#over) return
    this.#cause ??= { type: 'unguarded', why }
    this.#guard?.stop()
    this.#options.transport.kill('SIGKILL')
  }

  async #insist<Data>(request: RunChange<Data>['request']): Promise<ClientReply<Data>> {
    const { busyPause, busyRetries } = this.#options.limits
    let reply = await request(this.#client)
    for (let tries = 0; tries < busyRetries && !reply.ok && reply.message.includes(BUSY_REPLY); tries += 1) {
      await new Promise(resolve => setTimeout(resolve, busyPause))
      reply = await request(this.#client)
    }
    return reply
  }

  async #shutDown(): Promise<void> {
    const { transport, limits } = this.#options
    transport.closeInput()
    if ((await withTimeout(limits.closeExit, this.gone)) === 'timed out') transport.kill('SIGKILL')
    await this.gone
  }

  async #watch(): Promise<void> {
    const { transport, version, redact, now, emit, onGone } = this.#options
    const ending = await transport.ended
    this.#over = true
    this.#operation?.cutShort()
    const closed = this.#guard?.close()
    void this.#options.guarded?.link.close()
    onGone()
    const started = this.#greeting !== undefined
    const cause = this.#cause
    const explanation = explain({ ending, cause, started, version: this.#greeting?.version ?? version ?? null }, redact)
    const expected = cause?.type === 'closed' || cause?.type === 'killed'
    emit({ type: 'agent_ended', at: now(), code: ending.code, signal: ending.signal, ...explanation, expected })
    await closed
  }
}

function tooLong(bytes: number, limit: number): string {
  return `the message is ${megabytes(bytes)} long, and zot accepts ${megabytes(limit)} at most: send fewer or smaller images`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** One run of zot: what may be sent when, and what its answers mean. */
import type { Model, OwnSession, Prompt, Refused, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { ModeNote } from '../tool-host/mode-note.ts'
import { sendWithWords } from '../tool-host/steering.ts'
import { processConnection, type AgentConnection } from '../host/connection.ts'
import type { Driver, DriverHost, AgentOperation, StartOutcome } from '../host/driver.ts'
import { ORPHANS, type EndWords } from '../host/explain-end.ts'
import { createChanges } from '../host/requests.ts'
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { createZotClient, type ClientReply, type ZotClient } from './client.ts'
import type { WireCommand } from './command.ts'
import { zotEndWords } from './end-words.ts'
import type { ZotEvent } from './frame.ts'
import { CallGuard, type CallGuardOptions } from './guard/call-guard.ts'
import { describeModel, readModels, shakeHands, type Greeting } from './handshake.ts'
import type { ZotLimits } from './limits.ts'
import type { ZotOptions } from './program/options.ts'
import { serverOf } from './program/server.ts'
import { translate } from './translate.ts'
import { notCompacted, operationEnd, promptCommand, ZotTurn } from './turn.ts'
import { startWarnings } from './warnings.ts'

export type ZotDriverOptions = {
  transport: Transport
  /** The options that it was started with. */
  options: ZotOptions
  token: string | undefined
  version: string | undefined
  /** The name of the other machine that zot runs on. */
  machine: string | undefined
  limits: ZotLimits
  /** The guard that asks about zot's calls; null for a zot that runs them unasked. */
  guarded: Pick<CallGuardOptions, 'link' | 'judge' | 'toolsOf' | 'folder' | 'watch'> | null
  /** Warnings to add to those of the start. */
  warnings: readonly string[]
  modeNote: ModeNote
}

/** A change of the conversation or the model: the request, and the event of its success. */
type ZotChange<Data> = {
  request: (client: ZotClient) => Promise<ClientReply<Data>>
  done: (data: Data, greeting: Greeting) => AgentEvent
}

const NOT_GUARDED = 'zot started without the guard that asks before calls run'
const UNGUARDED = '/restart starts both again; --no-guard starts zot without it, and then zot never asks'
/** The answer of later versions to a change while they work, and for a moment after `done`. */
const BUSY_REPLY = 'agent is busy'

export class ZotDriver implements Driver {
  readonly connection: AgentConnection
  readonly limits: ZotLimits
  /** Its conversation has every prompt that the user sees. */
  readonly sendsStopped = true
  /** The options that it was started with. */
  readonly options: ZotOptions
  /** Asks about the calls; undefined if calls run without permission. */
  readonly guard: CallGuard | undefined
  readonly #host: DriverHost
  readonly #settings: ZotDriverOptions
  readonly #client: ZotClient
  readonly #changes = createChanges()
  #greeting: Greeting | undefined
  #turn = new ZotTurn()
  /** Runs out when an aborted compaction is over. */
  #grace: NodeJS.Timeout | undefined

  constructor(host: DriverHost, settings: ZotDriverOptions) {
    const { transport, guarded, limits, options } = settings
    this.#host = host
    this.#settings = settings
    this.limits = limits
    this.options = options
    const zot = processConnection(transport, () => ({ input: limits.closeExit, term: 0 }))
    this.connection = {
      ...zot,
      async close(isStuck) {
        await zot.close(isStuck)
        await guarded?.link.close()
      },
    }
    this.#client = createZotClient(transport, {
      onEvent: event => this.#handle(event),
      redact: host.redact,
      onUnknown: host.unknownLine,
      onDropped: host.droppedLine,
    })
    if (!guarded) return
    const { name, emit, now } = host
    this.guard = new CallGuard({ ...guarded, name, emit, now, limits, onStop: () => host.abort() })
    void guarded.link.lost.then(why => this.#withoutGuard(why))
  }

  /** zot's answer to the handshake; undefined before it. */
  get greeting(): Greeting | undefined {
    return this.#greeting
  }

  get isReady(): boolean {
    return this.#greeting !== undefined
  }

  get endWords(): EndWords {
    return zotEndWords(this.#greeting?.version ?? this.#settings.version ?? null)
  }

  async start(): Promise<StartOutcome> {
    const { token, transport, warnings, machine } = this.#settings
    const { now, emit } = this.#host
    const greeting = await shakeHands(this.#client, { token, limit: this.limits.hello })
    if (typeof greeting === 'string' || 'type' in greeting) return greeting
    if (this.guard) {
      const guarded = await withTimeout(this.limits.guard, Promise.race([this.guard.ready, this.connection.ended]))
      if (guarded === 'timed out') this.#killUnguarded(NOT_GUARDED)
    }
    if (this.#host.isEnding) return 'ended'
    this.#greeting = greeting
    const { version, provider, model, reasoning } = greeting
    const server = serverOf(this.options, provider, machine)
    this.#host.started({ version, reasoning, ...describeModel(greeting, model), ...(server && { server }) })
    for (const message of [...startWarnings(this.options, greeting, transport.words()), ...warnings])
      emit({ type: 'warning_raised', at: now(), message })
    return 'ready'
  }

  refusal(prompt: Prompt): string | null {
    const bytes = Buffer.byteLength(JSON.stringify(promptCommand(prompt, '')))
    return bytes > this.limits.promptBytes ? tooLong(bytes, this.limits.promptBytes) : null
  }

  get changed(): Promise<unknown> {
    return this.#changes.made
  }

  send(operation: AgentOperation, prompt: Prompt): void {
    this.#begin(operation, promptCommand(prompt, this.#settings.modeNote.next() ?? ''))
  }

  compact(operation: AgentOperation): void {
    this.#begin(operation, { type: 'compact' })
  }

  cancel(operation: AgentOperation): void {
    // zot itself is idle while calls are deferred: an abort could stop what comes next.
    if (!operation.isRunning) return
    this.#client.send<'abort'>({ type: 'abort' }, () => {
      if (operation.type !== 'compact' || operation.isOver) return
      // zot sends nothing more then.
      const end = (): void => operation.end([{ type: 'compaction_aborted', at: this.#host.now() }])
      this.#grace = setTimeout(end, this.limits.compactionGrace)
    })
  }

  /** Before the abort: zot runs what is not answered. */
  stopCalls(): void {
    this.guard?.stop()
  }

  operationEnded(): void {
    clearTimeout(this.#grace)
    this.guard?.end()
  }

  clear(): Promise<Reply> {
    return this.#change<undefined>({
      request: client => client.request({ type: 'clear' }),
      done: () => {
        this.#settings.modeNote.forget()
        return { type: 'conversation_cleared', at: this.#host.now() }
      },
    })
  }

  /** zot keeps no sessions. */
  async resumeSession(_session: OwnSession): Promise<Reply> {
    return { ok: false, message: `${this.#host.name} keeps no sessions` }
  }

  /** Refuses a zot with another provider or model: zot replaces them without an error. */
  async takeOver(options: StartOptions): Promise<Refused | null> {
    const message = this.#greeting ? startWarnings(options, this.#greeting, []).join('; ') : ''
    return message === '' ? null : { ok: false, message }
  }

  setModel(id: string): Promise<Reply> {
    return this.#change<{ model: string }>({
      request: client => client.request({ type: 'set_model', model: id }),
      done: ({ model }, greeting) => ({
        type: 'model_changed',
        at: this.#host.now(),
        ...describeModel(greeting, model || id),
      }),
    })
  }

  async setReasoning(level: string): Promise<Reply> {
    if (this.#greeting?.reasoning === null) {
      return { ok: false, message: 'this zot cannot change its reasoning level: start it with --reasoning' }
    }
    return this.#change<{ reasoning: string }>({
      request: client => client.request({ type: 'set_reasoning', reasoning: level }),
      done: ({ reasoning }) => ({ type: 'reasoning_changed', at: this.#host.now(), reasoning }),
    })
  }

  async listModels(): Promise<Reply<readonly Model[]>> {
    if (!this.#greeting) return this.#notRunning()
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

  async ended(): Promise<void> {
    this.#cutShort()
    const closed = this.guard?.close()
    void this.#settings.guarded?.link.close()
    await closed
  }

  #begin(operation: AgentOperation, command: Extract<WireCommand, { type: 'prompt' | 'compact' }>): void {
    this.#turn = new ZotTurn()
    this.guard?.begin()
    this.#client.send<'prompt' | 'compact'>(command, reply => this.#replied(operation, reply))
  }

  /** zot starts with its reply: from then on an abort reaches it. */
  #replied(operation: AgentOperation, reply: ClientReply<undefined>): void {
    if (reply.ok) return operation.accepted()
    // If zot ended, `ended` is called after this.
    if (reply.ending) return
    if (operation.type === 'compact') operation.end([notCompacted(reply.message, this.#host.now())])
    else operation.refuse(reply.message)
  }

  #handle(event: ZotEvent): void {
    const seen = this.guard ? this.guard.translate(event) : event
    if (seen) this.#pass(seen)
  }

  #pass(event: ZotEvent): void {
    const { now, emit, debug } = this.#host
    // Extensions may send events at any time; all others belong to an operation.
    if (!event.type.startsWith('ext_')) {
      if (this.#passToOperation(event)) return
      debug(`an event of no operation: ${event.type}`)
      // Tools that ran are reported anyway.
      if (event.type !== 'tool_call' && event.type !== 'tool_result') return
    }
    const translated = translate(event, now())
    if (translated) emit(translated)
  }

  /** False if it does not belong to the operation in flight: zot starts one with its reply. */
  #passToOperation(event: ZotEvent): boolean {
    const { operation, now, emit } = this.#host
    if (!operation?.isRunning) return false
    const { isAborted } = operation
    const at = now()
    const ending = operationEnd(operation, event, at)
    if (ending && this.guard?.hasDeferred) this.#continue(operation, this.guard)
    else if (ending) operation.end([ending])
    else {
      const translated = this.#turn.translate(event, isAborted, at)
      if (translated) emit(translated)
    }
    return true
  }

  #continue(operation: AgentOperation, guard: CallGuard): void {
    this.#turn.nextPrompt()
    void operation.continueWith(guard.outcomes(), outcomes =>
      sendWithWords(guard.words, outcomes, message => {
        this.#client.send<'prompt'>({ type: 'prompt', message }, reply => this.#replied(operation, reply))
        return true
      }),
    )
  }

  /** Ends the operation because zot ended. */
  #cutShort(): void {
    const { operation, now } = this.#host
    if (operation?.type !== 'compact') return operation?.end([])
    const at = now()
    const { isAborted } = operation
    operation.end([isAborted ? { type: 'compaction_aborted', at } : notCompacted('zot ended', at)])
  }

  /** When zot ends, its guard ends too. Only zot's end is reported. */
  async #withoutGuard(why: string): Promise<void> {
    if ((await this.#settings.transport.freeze?.()) !== false) this.#killUnguarded(why)
  }

  /** A zot without its guard would run every call. */
  #killUnguarded(why: string): void {
    this.guard?.stop()
    const reason = `${why}, so zotui ended zot; ${ORPHANS}`
    void this.#host.fail({ type: 'explained', reason, hint: UNGUARDED }, 'forced')
  }

  /** Makes a change. Refused while an operation runs: an early zot would carry it out in the middle of the turn. */
  async #change<Data>({ request, done }: ZotChange<Data>): Promise<Reply> {
    const greeting = this.#greeting
    if (!greeting) return this.#notRunning()
    const { name, isBusy } = this.#host
    if (isBusy) return { ok: false, message: `${name} is busy: wait until it is done, or stop it` }
    const reply = await this.#changes.make(() => this.#insist(request))
    if (!reply.ok) return { ok: false, message: reply.message }
    this.#host.emit(done(reply.data, greeting))
    return { ok: true, value: undefined }
  }

  async #insist<Data>(request: ZotChange<Data>['request']): Promise<ClientReply<Data>> {
    const { busyPause, busyRetries } = this.limits
    let reply = await request(this.#client)
    for (let tries = 0; tries < busyRetries && !reply.ok && reply.message.includes(BUSY_REPLY); tries += 1) {
      await new Promise(resolve => setTimeout(resolve, busyPause))
      reply = await request(this.#client)
    }
    return reply
  }

  #notRunning(): Refused {
    return { ok: false, message: `${this.#host.name} is not running` }
  }
}

function tooLong(bytes: number, limit: number): string {
  return `the message is ${megabytes(bytes)} long, and zot accepts ${megabytes(limit)} at most: send fewer or smaller images`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

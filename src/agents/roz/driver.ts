/** One run of roz, from the start of its session to the end: its prompts, and the server's other events. */
import type { OwnSession, Prompt, Refused, Reply, StartOptions } from '../../agent/backend.ts'
import type { ToolHost } from '../tool-host/tool-host.ts'
import type { AgentConnection } from '../host/connection.ts'
import type { Driver, DriverHost, AgentOperation, StartOutcome } from '../host/driver.ts'
import type { EndCause, EndWords } from '../host/explain-end.ts'
import { BUSY } from '../host/requests.ts'
import type { Ending } from '../transport/transport.ts'
import type { RozStart } from './arguments.ts'
import { OLDER, reconnectedWords, rejectionWords, NOT_SENT, wordsOf, type RozTrouble } from './explain.ts'
import type { RozLimits } from './limits.ts'
import { RozLink, type Connected } from './link.ts'
import { createRozMemory, type RozMemory } from './memory.ts'
import { createSeen } from './seen.ts'
import type { RozStreams } from './stream.ts'
import { createTeamWatch, type TeamWatching } from './team-watch.ts'
import type { RozApprovals } from './turn/approvals.ts'
import { notesOf, unseenTools } from './turn/notes.ts'
import { RozTurns } from './turns.ts'
import {
  eventIn,
  isOlder,
  type RozEvent,
  type SessionResponseMessage,
  type WireEnvelope,
  type StartSession,
  type WireMessage,
} from './wire/messages.ts'
import type { ToolDefinition } from '../../local-tools/tool.ts'
import { toStruct } from './wire/struct.ts'

export type RozDriverOptions = {
  streams: RozStreams
  start: Pick<RozStart, 'address' | 'environment' | 'task'>
  /** The model that the user has chosen; '' for the server's own. */
  chosen: { model: string }
  limits: RozLimits
  toolHost: ToolHost
  approvals: RozApprovals
  /** The texts that a session begins with. */
  context: () => Promise<string[]>
}

/** There is no process that could explain more. */
const ENDING: Ending = { code: null, signal: null, spawnError: null, outputClosed: false, lastWords: [] }

export class RozDriver implements Driver {
  readonly connection: AgentConnection
  readonly limits: RozLimits
  readonly endWords: EndWords
  readonly #host: DriverHost
  readonly #options: RozDriverOptions
  readonly #link: RozLink
  readonly #memory: RozMemory = createRozMemory()
  readonly #turns: RozTurns
  readonly #team: TeamWatching
  readonly #isRepeated = createSeen()
  #context: readonly string[] = []
  #reconnecting: Promise<Connected> | null = null
  #isOpen = false

  constructor(host: DriverHost, options: RozDriverOptions) {
    const { streams, start, limits, toolHost, approvals } = options
    const { name } = host
    this.#host = host
    this.#options = options
    this.limits = limits
    this.endWords = { name, protocol: 'its protocol', install: '', killed: `${name} was closed` }
    this.#link = new RozLink({
      streams,
      target: start.address.target,
      limits,
      start: () => this.#startMessage(),
      onMessage: message => this.#received(message),
      onLost: trouble => this.#lost(trouble),
    })
    const { promise: ended, resolve } = Promise.withResolvers<Ending>()
    this.connection = {
      ended,
      close: async () => {
        await this.#link.close()
        resolve(ENDING)
      },
      kill: () => {
        this.#link.kill()
        resolve(ENDING)
      },
    }
    const { now, emit, debug } = host
    const newId = (): string => host.newId('call')
    this.#team = createTeamWatch({ streams, now, emit, debug, newId, isInTurn: () => this.#turns.isInTurn })
    this.#turns = new RozTurns({
      limits,
      toolHost,
      now,
      emit,
      newId,
      memory: this.#memory,
      team: () => this.#team.team,
      send: request => this.#link.send(request),
      connect: () => this.#connected(),
      onBegin: () => {
        this.#link.watch()
        approvals.begin()
      },
      onStop: () => approvals.stop(),
      onEnd: () => {
        this.#link.unwatch()
        approvals.endTurn()
      },
    })
    toolHost.forgetMode()
  }

  get isReady(): boolean {
    return this.#isOpen
  }

  async start(): Promise<StartOutcome> {
    const { start, chosen, context } = this.#options
    const { name, emit, now } = this.#host
    this.#context = await context()
    const connected = await this.#link.connect([0])
    if (this.#host.isEnding) return 'ended'
    if (!connected.ok) return explained(connected.trouble)
    this.#isOpen = true
    const model = { provider: name, model: connected.greeting?.model || chosen.model, contextWindow: null }
    const { target: server } = start.address
    this.#host.started({ version: '', ...model, reasoning: null, reasoningLevels: [], server })
    if (start.address.isExposed)
      emit({
        type: 'warning_raised',
        at: now(),
        message: `The key goes unencrypted to ${start.address.target}: use https.`,
      })
    emit(unseenTools(now()))
    if (start.task !== '') this.#team.follow(start.task)
    return 'ready'
  }

  refusal(): string | null {
    return null
  }

  readonly changed = Promise.resolve()

  /** A prompt with images begins a new session, which receives them with the conversation: roz takes no images later. */
  async prepare({ images }: Prompt): Promise<string | null> {
    if (!this.#memory.shown(images)) return NOT_SENT['too large']
    if (images.length > 0) this.#link.drop()
    const connected = images.length > 0 ? await this.#link.connect() : await this.#connect()
    return connected.ok ? null : wordsOf(connected.trouble)
  }

  send(operation: AgentOperation, prompt: Prompt): void {
    this.#turns.send(operation, prompt)
  }

  cancel(): void {
    this.#turns.cancel()
  }

  operationEnded(): void {
    this.#turns.endCalls()
  }

  /** Begins a new, empty session. */
  async clear(): Promise<Reply> {
    const { name, emit, now, isRunning, isBusy } = this.#host
    if (!isRunning) return { ok: false, message: `${name} is not running` }
    if (isBusy) return BUSY
    this.#memory.forget()
    this.#options.toolHost.forgetMode()
    this.#link.drop()
    emit({ type: 'conversation_cleared', at: now() })
    const connected = await this.#link.connect()
    return connected.ok ? { ok: true, value: undefined } : { ok: false, message: wordsOf(connected.trouble) }
  }

  /** A session of roz ends with its stream: there is none to continue in. */
  async resumeSession(_session: OwnSession): Promise<Reply> {
    return { ok: false, message: `${this.#host.name} keeps no sessions` }
  }

  async takeOver({ model }: StartOptions): Promise<Refused | null> {
    const reply = model ? await this.useModel(model) : null
    return reply && !reply.ok ? reply : null
  }

  /** Continues with another model, in a new session that receives the conversation. */
  async useModel(model: string): Promise<Reply> {
    const { chosen } = this.#options
    const { name, emit, now, isRunning, isBusy } = this.#host
    if (!isRunning) return { ok: false, message: `${name} is not running` }
    if (isBusy) return BUSY
    const before = chosen.model
    chosen.model = model
    this.#link.drop()
    const connected = await this.#link.connect()
    if (!connected.ok) {
      chosen.model = before
      void this.#link.connect()
      return { ok: false, message: wordsOf(connected.trouble) }
    }
    const used = connected.greeting?.model || model
    emit({ type: 'model_changed', at: now(), provider: name, model: used, contextWindow: null, reasoningLevels: [] })
    return { ok: true, value: undefined }
  }

  ping(timeout: number): Promise<boolean> {
    return this.#link.ping(timeout)
  }

  ended(): void {
    this.#link.kill()
    this.#team.end()
    this.#options.approvals.endTurn()
    this.#turns.end()
  }

  /** Sends the server a decision that it has asked for. */
  decide(approvalId: string, approved: boolean): void {
    this.#link.send({ permission_decision: { approval_id: approvalId, approved } })
  }

  #startMessage() {
    const { chosen, start, toolHost } = this.#options
    const history = this.#memory.history()
    return startMessage({ ...start, model: chosen.model, tools: toolHost.tools, history, context: this.#context })
  }

  /** Ensures that there is a session. Returns the reason if there is none. */
  async #connected(): Promise<string | null> {
    const connected = await this.#connect()
    return connected.ok ? null : wordsOf(connected.trouble)
  }

  /** Ensures that there is a session, and shows a notice if the connection had to be made again. */
  #connect(): Promise<Connected> {
    if (this.#link.isUp) return Promise.resolve({ ok: true, greeting: null })
    this.#reconnecting ??= this.#again().finally(() => (this.#reconnecting = null))
    return this.#reconnecting
  }

  async #again(): Promise<Connected> {
    const { emit, now } = this.#host
    this.#options.toolHost.forgetMode()
    const connected = await this.#link.connect()
    if (this.#host.isEnding || !connected.ok || !connected.greeting) return connected
    const text = reconnectedWords(this.#memory)
    emit({ type: 'remark_made', at: now(), level: 'info', text, hint: null, markdown: false })
    return connected
  }

  #lost(trouble: RozTrouble): void {
    if (!this.#isOpen) return
    this.#host.debug(`lost: ${trouble.reason}`)
    this.#turns.fail(`the connection to roz was lost: ${wordsOf(trouble)}`)
    void this.#tryAgain()
  }

  async #tryAgain(): Promise<void> {
    const { emit, now } = this.#host
    const connected = await this.#connect()
    if (connected.ok || this.#host.isEnding) return
    const message = `The connection to roz was lost: ${wordsOf(connected.trouble)}. The next prompt retries.`
    emit({ type: 'warning_raised', at: now(), message })
  }

  #received(message: SessionResponseMessage): void {
    const { emit, now, debug } = this.#host
    if (isOlder(message)) return this.#fail(OLDER)
    const { keepalive, task_progress: progress, session_event: envelope } = message
    const used = keepalive?.tokens_used ?? 0
    if (used > 0)
      emit({ type: 'context_reported', at: now(), used, size: keepalive?.tokens_max ?? null, costUsd: null })
    if (progress && progress.task_id !== '') this.#team.follow(progress.task_id)
    if (envelope) this.#receivedEvent(envelope)
    else if (message.response === undefined) debug('a message that is not known')
  }

  #receivedEvent(envelope: WireEnvelope): void {
    if (this.#isRepeated(envelope.event_id)) return
    const event = eventIn(envelope)
    if (event) this.#happened(event)
    else this.#host.debug(`an event that is not known: ${envelope.event_type}`)
  }

  #happened(event: RozEvent): void {
    const { approvals } = this.#options
    const { emit, now } = this.#host
    if (event.type === 'session_failed')
      return this.#fail({ reason: `roz ended the session: ${event.failure.replaceAll('_', ' ')}` })
    if (event.type === 'session_completed')
      return this.#fail({ reason: `roz completed the session${event.summary && `: ${event.summary}`}` })
    if (event.type === 'approval_requested') return approvals.asked(event)
    if (event.type === 'approval_resolved') return approvals.resolved(event.approval_id)
    if (this.#turns.event(event)) return
    if (event.type === 'session_rejected')
      emit({ type: 'warning_raised', at: now(), message: `roz: ${rejectionWords(event)}` })
    for (const each of notesOf(event, now())) emit(each)
  }

  /** The session cannot go on. */
  #fail({ reason, hint = '/restart begins a new session' }: { reason: string; hint?: string }): void {
    this.#turns.fail(reason)
    void this.#host.fail(explained({ reason, hint }), 'forced')
  }
}

function explained({ reason, hint }: Pick<RozTrouble, 'reason' | 'hint'>): EndCause {
  return { type: 'explained', reason, hint }
}

/** The time that the server waits for a call, in milliseconds: its own limit. */
const CALL_TIMEOUT = 120_000
/** Calls that only read may run side by side; all others are asked for one after another. */
const CALL_CATEGORY = { changing: 1, reading: 2 } as const

type SessionBeginning = {
  environment: string
  model: string
  tools: readonly ToolDefinition[]
  history: readonly WireMessage[]
  context: readonly string[]
}

/** The first message of a session. */
function startMessage({ environment, model, tools, history, context }: SessionBeginning): StartSession {
  return {
    environment_id: environment,
    ...(model !== '' && { model }),
    tools: tools.map(({ name, description, schema, kind }) => ({
      name,
      description,
      parameters_schema: toStruct(schema),
      timeout_ms: CALL_TIMEOUT,
      category: kind === 'read' ? CALL_CATEGORY.reading : CALL_CATEGORY.changing,
    })),
    history,
    project_context: context,
  }
}

/** One run of an agent, from the start of its process to its end: what may be sent when, and what its end means. */
import type { AgentSession, Model, OwnSession, Prompt, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionAnswer } from '../../agent/permission.ts'
import type { FormValues } from '../../agent/session-events.ts'
import { within } from '../transport/within.ts'
import { createRpcPeer, type RpcPeer } from '../transport/json-rpc.ts'
import { droppedBytes, type Transport } from '../transport/transport.ts'
import { needsLogin } from './error-words.ts'
import { explainAcp, type AcpCause } from './explain.ts'
import { serve } from './serving.ts'
import { greet, type AcpGreeting } from './handshake.ts'
import { installHint, type AgentProgram } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import { createRequests, type AcpRequests } from './requests.ts'
import { shutDown } from './shut-down.ts'
import { createPrompting, type Prompting } from './prompting.ts'
import type { ModelFacts } from './session/facts.ts'
import { createMoves, type AcpMoves } from './session/moves.ts'
import type { SessionOption } from './session/options.ts'
import { createSettings, type AcpSettings } from './session/settings.ts'
import { createPermissions, type AcpPermissions } from './session/permissions.ts'
import { createForms, type Forms } from './session/questions.ts'
import { AcpSessions } from './sessions.ts'
import type { Translation } from './translate.ts'

export type AcpRunOptions = {
  transport: Transport
  program: AgentProgram
  /** zotui's own version. */
  version: string
  limits: AcpLimits
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  redact: (text: string) => string
  /** The absolute folder that the agent works in. */
  folder: string
  /** Makes ids that are unique among all runs. */
  newId: (kind: 'call' | 'ask' | 'form') => string
  judge: () => Judge | undefined
  /** Options that the user set in earlier sessions. */
  chosen: Map<string, string | boolean>
  /** Called before `agent_ended` is emitted. */
  onGone: () => void
}

export class AcpRun {
  /** Resolves, never rejects, after `agent_ended`. */
  readonly gone: Promise<void>

  readonly #options: AcpRunOptions
  readonly #peer: RpcPeer
  readonly #requests: AcpRequests
  readonly #sessions: AcpSessions
  readonly #settings: AcpSettings
  readonly #moves: AcpMoves
  readonly #permissions: AcpPermissions
  readonly #forms: Forms
  #greeting: AcpGreeting | undefined
  #prompting: Prompting | undefined
  #cause: AcpCause | null = null
  #isOver = false

  constructor(options: AcpRunOptions) {
    this.#options = options
    const { transport, now, folder, newId, judge } = options
    this.#peer = createRpcPeer(transport, {
      onRequest: request =>
        serve(request, {
          sessions: this.#sessions,
          permissions: this.#permissions,
          forms: this.#forms,
          now,
          debug: options.debug,
        }),
      onNotification: (method, params) => this.#notified(method, params),
      onUnknown: (line, reason) => this.#unknown(line, reason),
    })
    const { program, limits, redact } = options
    this.#requests = createRequests({ peer: this.#peer, name: program.name, limit: limits.request, redact })
    this.#sessions = new AcpSessions({
      ...options,
      peer: this.#peer,
      newCallId: () => newId('call'),
      startsUntold: () => this.#greeting?.known?.quirks.startsUntold ?? false,
      started: model => this.#started(model),
    })
    const emit = (event: AgentEvent): void => this.#sessions.emit(event)
    const parts = { name: program.name, sessions: this.#sessions, requests: this.#requests }
    this.#settings = createSettings({ ...parts, now, emit, chosen: options.chosen })
    this.#moves = createMoves({
      ...parts,
      folder,
      can: () => this.#greeting?.can,
      isBusy: () => this.#isBusy,
      applyChosen: () => this.#settings.applyChosen(),
    })
    this.#permissions = createPermissions({
      emit,
      now,
      newId: () => newId('ask'),
      folder,
      judge,
      onAllowed: id => this.#sessions.tell(this.#sessions.current?.translation.calls.started(id, now())),
    })
    this.#forms = createForms({ emit, now, newId: () => newId('form') })
    this.gone = this.#watch()
  }

  get greeting(): AcpGreeting | undefined {
    return this.#greeting
  }

  get isRunning(): boolean {
    return !this.#isOver && this.#sessions.current !== undefined
  }

  get options(): readonly SessionOption[] {
    return this.#settings.options
  }

  get name(): string {
    return this.#options.program.name
  }

  /** Performs the handshake and opens this session, or else a new one. Resolves after `agent_started` or `agent_ended`. */
  async open(session?: OwnSession): Promise<void> {
    const { program, version, limits } = this.#options
    const greeting = await greet(this.#peer, { program, version, limit: limits.hello })
    if (greeting === null || this.#cause) return this.gone
    if ('type' in greeting) return this.#fail(greeting)
    this.#greeting = greeting
    const problem = session ? await this.#moves.begin(session) : null
    if (this.#sessions.current) return this.#settings.applyChosen()
    const reply = await this.#sessions.open({ ...this.#moves.fresh, ...(problem !== null && { problem }) })
    if (this.#sessions.current) return this.#settings.applyChosen()
    if (reply === 'timed out')
      return this.#fail({ type: 'silent', milliseconds: limits.request, request: 'session/new' })
    if (reply.ok) return this.#fail({ type: 'unreadable', request: 'session/new' })
    if (reply.ending) return this.gone
    if (needsLogin(reply.error))
      this.#sessions.emit({ type: 'login_needed', at: this.#options.now(), methods: [...greeting.login] })
    return this.#fail({ type: 'refused', error: reply.error })
  }

  /** Runs a turn. Resolves when it is over and all its events are emitted. One at a time. */
  async prompt(prompt: Prompt): Promise<void> {
    if (this.#isBusy) throw new Error('a prompt is in flight: the caller must wait for its end')
    const prompting = createPrompting(prompt, {
      emit: event => this.#sessions.emit(event),
      now: this.#options.now,
      limits: this.#options.limits,
      send: (blocks, onReply) =>
        this.#peer.send('session/prompt', { sessionId: this.#sessions.current?.id, prompt: blocks }, onReply),
      cancel: () => this.#cancel(),
      begin: () => this.#begin(),
      end: (end, isAborted) => this.#end(end, isAborted),
    })
    this.#prompting = prompting
    prompting.announce()
    if (!this.isRunning) prompting.refuse(`${this.name} is not running`)
    else if (prompt.images.length > 0 && !this.#greeting?.can.images)
      prompting.refuse(`${this.name} does not take images`)
    await this.#requests.changed
    await prompt.ready
    if (!this.isRunning) prompting.refuse(`${this.name} is not running`)
    prompting.start()
    await prompting.over
  }

  abort(): void {
    this.#prompting?.abort()
  }

  answerPermission(id: string, answer: PermissionAnswer): void {
    if (!this.#permissions.has(id)) return
    if (answer.answer !== 'stop') return this.#permissions.answer(id, answer)
    this.abort()
    this.#permissions.cancelAll('user')
  }

  answerQuestion(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void {
    this.#forms.answer(id, values, how)
  }

  setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.#settings.set(id, value)
  }

  /** Begins a new session of the agent. */
  clear(): Promise<Reply> {
    return this.#moves.to(this.#moves.fresh)
  }

  openSession(id: string): Promise<Reply> {
    return this.#moves.open(id)
  }

  resumeSession(session: OwnSession): Promise<Reply> {
    return this.#moves.resume(session)
  }

  listSessions(): Promise<Reply<readonly AgentSession[]>> {
    return this.#moves.list()
  }

  listModels(): readonly Model[] {
    return this.#settings.models()
  }

  async ping(timeout: number): Promise<boolean> {
    // The protocol has no such request. An agent that does not know it says so, which is an answer.
    const reply = await within(timeout, this.#peer.request('_zotui/ping', {}))
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  /** Ends the agent cleanly: it aborts first, so that the agent ends its commands. */
  async close(): Promise<void> {
    this.#cause ??= { type: 'closed' }
    this.abort()
    const { transport, limits } = this.#options
    const stops = this.#prompting ? await within(limits.closeAbort, this.#prompting.over) : undefined
    if (stops === 'timed out') transport.kill('SIGKILL')
    await this.#shutDown()
  }

  async kill(): Promise<void> {
    this.#cause ??= { type: 'killed' }
    this.#options.transport.kill('SIGKILL')
    await this.gone
  }

  get #isBusy(): boolean {
    return this.#prompting !== undefined && !this.#prompting.isOver
  }

  #started(model: ModelFacts): AgentEvent {
    const version = this.#greeting?.version ?? ''
    return { type: 'agent_started', at: this.#options.now(), agent: this.name, version, ...model }
  }

  #begin(): void {
    const session = this.#sessions.current
    this.#sessions.tell(session?.translation.rest(this.#options.now()))
    session?.translation.beginTurn()
  }

  #end(end: Parameters<Translation['endTurn']>[0], isAborted: boolean): AgentEvent[] {
    this.#permissions.cancelAll('end')
    this.#forms.cancelAll()
    const login = this.#greeting?.login ?? []
    return this.#sessions.current?.translation.endTurn(end, { isAborted, login }, this.#options.now()) ?? []
  }

  #cancel(): void {
    this.#peer.notify('session/cancel', { sessionId: this.#sessions.current?.id })
    this.#permissions.cancelAll('end')
    this.#forms.cancelAll()
  }

  #notified(method: string, params: unknown): void {
    if (method === 'session/update') return this.#sessions.update(params)
    if (!method.startsWith('_')) this.#options.debug(`a notification that is not known: ${method}`)
  }

  #unknown(line: string, reason: string): void {
    const { debug, now } = this.#options
    const dropped = droppedBytes(line)
    if (dropped === null) return debug(`${reason}: ${line}`)
    const size = `${(dropped / 1e6).toFixed(1)} MB`
    const message = `${this.name} wrote a line of ${size}, which is too long to read. Its content is missing here.`
    this.#sessions.emit({ type: 'warning_raised', at: now(), message })
  }

  /** The agent cannot be used: ends it. */
  async #fail(cause: AcpCause): Promise<void> {
    this.#cause ??= cause
    if (cause.type === 'silent') this.#options.transport.kill('SIGKILL')
    await this.#shutDown()
  }

  #shutDown(): Promise<void> {
    const { transport, limits } = this.#options
    const outlivesInput = this.#greeting?.known?.quirks.outlivesInput ?? false
    return shutDown({ transport, limits, gone: this.gone, outlivesInput })
  }

  async #watch(): Promise<void> {
    const { transport, program, redact, now, onGone } = this.#options
    const ending = await transport.ended
    const started = this.isRunning
    this.#isOver = true
    this.#sessions.end()
    this.#permissions.cancelAll('end')
    this.#forms.cancelAll()
    onGone()
    const known = this.#greeting?.known ?? program.known
    const facts = { name: this.name, ending, cause: this.#cause, started, install: known ? installHint(known) : '' }
    const { reason, hint } = explainAcp(facts, redact)
    const expected = this.#cause?.type === 'closed' || this.#cause?.type === 'killed'
    this.#sessions.emit({
      type: 'agent_ended',
      at: now(),
      code: ending.code,
      signal: ending.signal,
      reason,
      hint,
      expected,
    })
  }
}

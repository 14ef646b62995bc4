/** One run of an agent, from the start of its process to its end: what may be sent when, and what its end means. */
import type { AgentSession, Model, Prompt, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionAnswer } from '../../agent/permission.ts'
import type { FormValues } from '../../agent/session-events.ts'
import { within } from '../transport/within.ts'
import { createRpcPeer, rpcCodes, type RpcPeer, type RpcReply, type RpcRequest } from '../transport/json-rpc.ts'
import { droppedBytes, type Transport } from '../transport/transport.ts'
import { errorWords, needsLogin } from './error-words.ts'
import { explainAcp, type AcpCause } from './explain.ts'
import { readElicitation, readOptions, readPermission } from './frame.ts'
import { greet, type AcpGreeting } from './handshake.ts'
import { installHint, type AgentProgram } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import { createPrompting, type Prompting } from './prompting.ts'
import type { ModelFacts } from './session/facts.ts'
import { optionFor, type SessionOption } from './session/options.ts'
import { createPermissions, type AcpPermissions } from './session/permissions.ts'
import { createForms, type Forms } from './session/questions.ts'
import { listAgentSessions } from './session/listing.ts'
import { AcpSessions, type AcpSession, type SessionOpening } from './sessions.ts'
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

const BUSY = 'the agent is busy: wait until it is done, or stop it'

export class AcpRun {
  /** Resolves, never rejects, after `agent_ended`. */
  readonly gone: Promise<void>

  readonly #options: AcpRunOptions
  readonly #peer: RpcPeer
  readonly #sessions: AcpSessions
  readonly #permissions: AcpPermissions
  readonly #forms: Forms
  #greeting: AcpGreeting | undefined
  #prompting: Prompting | undefined
  #changes: Promise<unknown> = Promise.resolve()
  #cause: AcpCause | null = null
  #isOver = false

  constructor(options: AcpRunOptions) {
    this.#options = options
    const { transport, now, folder, newId, judge } = options
    this.#peer = createRpcPeer(transport, {
      onRequest: request => this.#asked(request),
      onNotification: (method, params) => this.#notified(method, params),
      onUnknown: (line, reason) => this.#unknown(line, reason),
    })
    this.#sessions = new AcpSessions({
      ...options,
      peer: this.#peer,
      newCallId: () => newId('call'),
      startsUntold: () => this.#greeting?.known?.quirks.startsUntold ?? false,
      started: model => this.#started(model),
    })
    const emit = (event: AgentEvent): void => this.#sessions.emit(event)
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
    return this.#sessions.current?.translation.facts.options ?? []
  }

  get name(): string {
    return this.#options.program.name
  }

  /** Performs the handshake and opens a session. Resolves after `agent_started` or `agent_ended`. */
  async open(): Promise<void> {
    const { program, version, limits } = this.#options
    const greeting = await greet(this.#peer, { program, version, limit: limits.hello })
    if (greeting === null || this.#cause) return this.gone
    if ('type' in greeting) return this.#fail(greeting)
    this.#greeting = greeting
    const reply = await this.#sessions.open(this.#newSession())
    if (this.#sessions.current) return this.#applyChosen()
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
    await this.#changes
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

  async setOption(id: string, value: string | boolean): Promise<Reply> {
    const option = this.options.find(each => each.id === id)
    if (!option) return { ok: false, message: `${this.name} has no such option` }
    const isOffered =
      option.kind === 'switch' ? typeof value === 'boolean' : option.choices.some(each => each.value === value)
    if (!isOffered) return { ok: false, message: `${this.name} does not offer ${String(value)} for ${option.name}` }
    const session = this.#sessions.current
    const { method, params } = option.set(value)
    const reply = await this.#change(() => this.#request(method, { sessionId: session?.id, ...params }))
    const refused = this.#refusal(reply)
    if (refused) return refused
    if (!session || session !== this.#sessions.current || reply === 'timed out' || !reply.ok)
      return { ok: true, value: undefined }
    const { facts } = session.translation
    const at = this.#options.now()
    const told = readOptions(reply.result)?.configOptions
    this.#sessions.tell(told && told.length > 0 ? facts.configured(told, at) : facts.valueSet(id, value, at))
    this.#options.chosen.set(id, value)
    return { ok: true, value: undefined }
  }

  /** Begins a new session of the agent. */
  clear(): Promise<Reply> {
    return this.#moveTo(this.#newSession())
  }

  openSession(id: string): Promise<Reply> {
    const repeats = this.#greeting?.can.load ?? false
    const params = { sessionId: id, cwd: this.#options.folder, mcpServers: [] }
    return this.#moveTo({ method: repeats ? 'session/load' : 'session/resume', params, id, repeats })
  }

  async forkSession(): Promise<Reply> {
    const session = this.#sessions.current
    if (!session || this.#isBusy) return { ok: false, message: session ? BUSY : `${this.name} is not running` }
    const params = { sessionId: session.id, cwd: this.#options.folder, mcpServers: [] }
    const reply = await this.#change(() => this.#sessions.open({ method: 'session/fork', params }))
    return this.#refusal(reply) ?? this.#opened(session)
  }

  async listSessions(): Promise<Reply<readonly AgentSession[]>> {
    const listed = await listAgentSessions(this.#options.folder, params => this.#request('session/list', params))
    if (listed.ok) return listed
    const refused = listed.refusal === null ? null : this.#refusal(listed.refusal)
    return refused ?? { ok: false, message: `${this.name} answered with a list that cannot be read` }
  }

  listModels(): readonly Model[] {
    const reasoning = optionFor(this.options, 'reasoning') !== undefined
    const choices = optionFor(this.options, 'model')?.choices ?? []
    return choices.map(({ value: id }) => ({ id, provider: '', contextWindow: null, maxOutput: null, reasoning }))
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

  #newSession(): SessionOpening {
    return { method: 'session/new', params: { cwd: this.#options.folder, mcpServers: [] } }
  }

  /** Goes on in another session: what was said before is forgotten. */
  async #moveTo(opening: SessionOpening): Promise<Reply> {
    const former = this.#sessions.current
    if (!former || this.#isBusy) return { ok: false, message: former ? BUSY : `${this.name} is not running` }
    const reply = await this.#change(() => this.#sessions.open(opening))
    return this.#refusal(reply) ?? this.#opened(former)
  }

  async #opened(former: AcpSession): Promise<Reply> {
    if (this.#sessions.current === former)
      return { ok: false, message: `${this.name} answered with a session that cannot be read` }
    if (this.#greeting?.can.close) void this.#request('session/close', { sessionId: former.id })
    await this.#applyChosen()
    return { ok: true, value: undefined }
  }

  #started(model: ModelFacts): AgentEvent {
    const version = this.#greeting?.version ?? ''
    return { type: 'agent_started', at: this.#options.now(), agent: this.name, version, ...model }
  }

  /** Sets again what the user set before, as far as the agent still offers it. */
  async #applyChosen(): Promise<void> {
    for (const [id, value] of this.#options.chosen) {
      const option = this.options.find(each => each.id === id)
      if (!option || option.value === value) continue
      const reply = await this.setOption(id, value)
      if (reply.ok) continue
      const message = `${this.name} did not take ${option.name} ${String(value)} again: ${reply.message}`
      this.#sessions.emit({ type: 'warning_raised', at: this.#options.now(), message })
    }
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

  #asked(request: RpcRequest): void {
    switch (request.method) {
      case 'session/request_permission': {
        const wire = readPermission(request.params)
        const session = this.#sessions.current
        // Of another session, or while an old one is repeated: nobody can decide that here.
        if (!wire || wire.sessionId !== session?.id || this.#sessions.isOpening)
          return request.succeed({ outcome: { outcome: 'cancelled' } })
        this.#sessions.tell(session.translation.asked(wire.toolCall, this.#options.now()))
        return this.#permissions.ask(request, wire, session.translation.calls.get(wire.toolCall.toolCallId))
      }
      case 'elicitation/create': {
        const wire = readElicitation(request.params)
        if (!wire) return request.fail({ code: -32602, message: 'Invalid params' })
        return this.#forms.ask(request, wire)
      }
      default:
        this.#options.debug(`a request that is not served: ${request.method}`)
        request.fail({ code: rpcCodes.unknownMethod, message: `Method not found: ${request.method}` })
    }
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

  #request(method: string, params: unknown): Promise<RpcReply | 'timed out'> {
    return within(this.#options.limits.request, this.#peer.request(method, params))
  }

  /** Makes changes one after the other; a prompt waits for them. */
  #change<Value>(make: () => Promise<Value>): Promise<Value> {
    const made = this.#changes.then(make)
    this.#changes = made
    return made
  }

  /** Why a request was refused; null if it was not. */
  #refusal(reply: RpcReply | 'timed out'): { ok: false; message: string } | null {
    if (reply === 'timed out') return { ok: false, message: `${this.name} did not answer in time` }
    if (reply.ok) return null
    if (reply.ending) return { ok: false, message: `${this.name} is not running` }
    return { ok: false, message: this.#options.redact(errorWords(reply.error)) }
  }

  /** The agent cannot be used: ends it. */
  async #fail(cause: AcpCause): Promise<void> {
    this.#cause ??= cause
    if (cause.type === 'silent') this.#options.transport.kill('SIGKILL')
    await this.#shutDown()
  }

  async #shutDown(): Promise<void> {
    const { transport, limits } = this.#options
    transport.closeInput()
    const outlivesInput = this.#greeting?.known?.quirks.outlivesInput ?? false
    if (!outlivesInput && (await within(limits.closeExit, this.gone)) !== 'timed out') return
    transport.kill('SIGTERM')
    if ((await within(limits.closeExit, this.gone)) === 'timed out') transport.kill('SIGKILL')
    await this.gone
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

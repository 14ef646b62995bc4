/** One run of Meerkat: what may be sent when, and what its answers mean. */
import type { OwnSession, Prompt, Refused, Reply, SessionCut, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolHost } from '../tool-host/tool-host.ts'
import { processConnection, type AgentConnection } from '../host/connection.ts'
import type { Driver, DriverHost, AgentOperation, StartOutcome } from '../host/driver.ts'
import type { EndWords, EndCause } from '../host/explain-end.ts'
import { BUSY, createRequests, type Requests } from '../host/requests.ts'
import { createRpcPeer, rpcCodes, type RpcError, type RpcPeer, type RpcRequest } from '../transport/json-rpc.ts'
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { createChoosing, type Choosing } from './choosing.ts'
import { errorWords } from './error-words.ts'
import { readCatalog, readSessionEvent, readSkills, readSummary, readInitialize } from './frame.ts'
import type { MeerkatLimits } from './limits.ts'
import { isSameChoice, modelsOf, type ModelChoice } from './models.ts'
import type { MeerkatSessionFlags } from './options.ts'
import { foldHistory } from './session/history.ts'
import { createMeerkatSessions, type MeerkatSession, type MeerkatSessions } from './session/sessions.ts'
import { createSkills, type MeerkatSkills } from './skills.ts'
import type { PriceOf } from './turn/usage.ts'
import { MeerkatTurns, type SessionEntry } from './turns.ts'

export type MeerkatDriverOptions = {
  transport: Transport
  limits: MeerkatLimits
  flags: MeerkatSessionFlags
  toolHost: ToolHost | null
  archivesCleared: boolean
  price: PriceOf
  /** The user's choices, in this run and earlier ones. */
  chosen: ModelChoice
}

/**
 * A session to continue in. `repeated` are the events of its history, if the conversation starts again with them. With `isWhole`
 * it is a copy of the current one, and still has to receive turns that Meerkat has not stored.
 */
type Entered = { session: MeerkatSession; how: SessionEntry; repeated?: AgentEvent[]; isWhole?: boolean }

const INSTALL = 'install it with `cargo install meerkat-rpc --version 0.9.8 --locked --no-default-features`'

export class MeerkatDriver implements Driver {
  readonly connection: AgentConnection
  readonly limits: MeerkatLimits
  readonly endWords: EndWords
  readonly choosing: Choosing
  readonly sessions: MeerkatSessions
  readonly #host: DriverHost
  readonly #options: MeerkatDriverOptions
  readonly #peer: RpcPeer
  readonly #requests: Requests
  readonly #turns: MeerkatTurns
  #greeting: MeerkatGreeting | undefined
  #skills: MeerkatSkills = createSkills([])
  #isOpen = false

  constructor(host: DriverHost, options: MeerkatDriverOptions) {
    const { transport, limits, flags, toolHost, chosen } = options
    const { name, now, emit, redact } = host
    this.#host = host
    this.#options = options
    this.limits = limits
    this.connection = processConnection(transport, () => ({ input: limits.closeExit, term: 0 }))
    this.endWords = { name, protocol: "Meerkat's contract", install: INSTALL }
    this.#peer = createRpcPeer(transport, {
      onRequest: request => this.#serve(request),
      onNotification: (method, params) => this.#notified(method, params),
      onUnknown: host.unknownLine,
      onDropped: host.droppedLine,
    })
    const words = (error: RpcError): string => redact(errorWords(error))
    this.#requests = createRequests({ peer: this.#peer, name, limit: limits.request, words })
    this.sessions = createMeerkatSessions({ requests: this.#requests, flags, hasToolHost: toolHost !== null, redact })
    this.choosing = createChoosing({ name, chosen, now, emit })
    this.#turns = new MeerkatTurns({
      ...options,
      host,
      peer: this.#peer,
      requests: this.#requests,
      sessions: this.sessions,
      can: method => this.#greeting?.can(method) ?? false,
      resolveSkill: text => this.#skills.resolve(text),
    })
  }

  get isReady(): boolean {
    return this.#isOpen
  }

  async start(own?: OwnSession): Promise<StartOutcome> {
    const { limits, toolHost, chosen } = this.#options
    const greeting = await greetMeerkat(this.#peer, limits.hello)
    if (greeting === null || this.#host.isEnding) return 'ended'
    if ('type' in greeting) return greeting
    this.#greeting = greeting
    const failed = toolHost && (await registerTools(this.#requests, toolHost))
    if (failed) return failed
    const catalog = await this.#requests.send('models/catalog', {})
    this.choosing.models = catalog !== 'timed out' && catalog.ok ? modelsOf(readCatalog(catalog.result)) : []
    if (chosen.provider === '') chosen.provider = this.choosing.model?.provider ?? ''
    const reply = await this.#enter(own)
    if (this.#host.isEnding) return 'ended'
    if (!reply.ok) return { type: 'refused', words: reply.message }
    const { session, how } = reply.value
    this.#turns.forget()
    await this.#findDefault(session)
    if (this.#host.isEnding) return 'ended'
    this.#isOpen = true
    const { facts, reasoning } = this.choosing
    this.#host.started({ version: greeting.version, ...facts, reasoning })
    this.#turns.use(session, how)
    await this.#loadSkills()
    return 'ready'
  }

  refusal({ images }: Prompt): string | null {
    const { model } = this.choosing
    return images.length > 0 && model?.takesImages === false ? `${model.id} does not take images` : null
  }

  get changed(): Promise<unknown> {
    return this.#requests.changes.made
  }

  /** Ensures that there is a session with the chosen model. */
  async prepare(): Promise<string | null> {
    const { chosen } = this.#options
    const session = this.#turns.session
    if (!session) {
      const reply = await this.sessions.create(chosen)
      if (!reply.ok) return reply.message
      this.#turns.use(reply.value)
      return null
    }
    if (!session.hasRun || isSameChoice(session.choice, chosen)) return null
    // A switch within the session would end its text stream for good.
    const reply = await this.sessions.fork(session)
    if (reply.ok) {
      this.#turns.use(reply.value, { remembers: true })
      this.sessions.archive(session)
    } else {
      const message = `${this.#host.name} did not copy its session for another model: answers now arrive whole, not word by word`
      this.#host.emit({ type: 'warning_raised', at: this.#host.now(), message: `${message} (${reply.message})` })
    }
    return null
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

  /** Begins a new session. */
  async clear(): Promise<Reply> {
    return this.#move(async former => {
      const reply = await this.sessions.create(this.#options.chosen)
      if (!reply.ok) return reply
      if (former && this.#options.archivesCleared) this.sessions.archive(former)
      return { ok: true, value: { session: reply.value, how: {}, repeated: [] } }
    })
  }

  async openSession(id: string): Promise<Reply> {
    return this.#move(async () => {
      const found = await this.sessions.find(id)
      if (!found.ok) return found
      const messages = await this.sessions.messages(found.value)
      if (!messages.ok) return messages
      return {
        ok: true,
        value: { session: found.value, how: { remembers: true }, repeated: foldHistory(messages.value) },
      }
    })
  }

  resumeSession(own: OwnSession): Promise<Reply> {
    return this.#move(() => this.#enter(own))
  }

  async takeOver({ model }: StartOptions): Promise<Refused | null> {
    const reply = model ? this.choosing.useModel(model) : null
    return reply && !reply.ok ? reply : null
  }

  async ping(timeout: number): Promise<boolean> {
    const reply = await withTimeout(timeout, this.#peer.request('runtime/health', {}))
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  ended(): void {
    this.#turns.endCalls()
  }

  /** The session to continue in, or else a new one. */
  async #enter(own: OwnSession | undefined): Promise<Reply<Entered>> {
    const found = own && (await this.sessions.find(own.id))
    const entered = found?.ok && own?.copy ? await this.sessions.fork(found.value, this.#asSent(own.cut)) : found
    const isWhole = own?.cut === undefined && own?.id === this.#turns.session?.id
    if (entered?.ok) return { ok: true, value: { session: entered.value, how: { remembers: true }, isWhole } }
    const created = await this.sessions.create(this.#options.chosen)
    if (!created.ok) return created
    return { ok: true, value: { session: created.value, how: entered ? { problem: entered.message } : {} } }
  }

  /** The prompts as they were sent to the agent. */
  #asSent(cut: SessionCut | undefined): SessionCut | undefined {
    return cut && { ...cut, prompts: cut.prompts.map(text => this.#skills.resolve(text).text) }
  }

  /** No model was chosen: the session has Meerkat's default, which Meerkat reports where it can. */
  async #findDefault(session: MeerkatSession): Promise<void> {
    if (this.#options.chosen.model !== '') return
    const { model, provider } = session.choice
    if (model !== '') return void this.choosing.found(model, provider)
    const reply = await this.#requests.send('session/read', { session_id: session.id })
    const summary = reply !== 'timed out' && reply.ok ? readSummary(reply.result) : null
    if (!summary) return
    this.choosing.found(summary.model, summary.provider)
    session.choice = { ...this.#options.chosen }
  }

  async #loadSkills(): Promise<void> {
    if (!this.#greeting?.can('skills/list')) return
    const reply = await this.#requests.send('skills/list', {})
    if (reply === 'timed out' || !reply.ok) return
    this.#skills = createSkills(readSkills(reply.result))
    const { commands } = this.#skills
    if (commands.length > 0) this.#host.emit({ type: 'agent_commands_changed', at: this.#host.now(), commands })
  }

  /** Continues in another session. If that fails, nothing has changed. */
  async #move(open: (former: MeerkatSession | undefined) => Promise<Reply<Entered>>): Promise<Reply> {
    if (!this.#host.isRunning) return { ok: false, message: `${this.#host.name} is not running` }
    if (this.#host.isBusy) return BUSY
    return this.#requests.changes.make(async () => {
      const reply = await open(this.#turns.session)
      if (!reply.ok) return reply
      const { session, how, repeated, isWhole = false } = reply.value
      if (!isWhole) this.#turns.forget()
      if (repeated) this.#host.emit({ type: 'conversation_cleared', at: this.#host.now() })
      this.#turns.use(session, how)
      for (const event of repeated ?? []) this.#host.emit(event)
      for (const event of this.choosing.found(session.choice.model, session.choice.provider)) this.#host.emit(event)
      return { ok: true, value: undefined }
    })
  }

  #notified(method: string, params: unknown): void {
    const { debug } = this.#host
    if (method !== 'session/event') return debug(`unknown notification: ${method}`)
    const event = readSessionEvent(params)
    if (!event) return debug(`an event that cannot be read: ${JSON.stringify(params)}`)
    if (!this.#turns.event(event)) debug(`an event outside of a turn: ${event.type}`)
  }

  /** Runs a zotui tool for the agent, which may request nothing else. */
  #serve(request: RpcRequest): void {
    if (request.method === 'tool/execute' && this.#turns.execute(request)) return
    this.#host.debug(`unsupported request: ${request.method}`)
    request.fail({ code: rpcCodes.unknownMethod, message: `Method not found: ${request.method}` })
  }
}

/** The version of Meerkat's contract that zotui supports. By Meerkat's rule, each minor version before 1.0 is a contract of its own. */
const CONTRACT = '0.9'

type MeerkatGreeting = {
  version: string
  /** Whether this build has the method. */
  can: (method: string) => boolean
}

/** Performs the handshake. Null if the agent ended meanwhile; its end has the reason. */
async function greetMeerkat(peer: RpcPeer, limit: number): Promise<MeerkatGreeting | EndCause | null> {
  const reply = await withTimeout(limit, peer.request('initialize', {}))
  if (reply === 'timed out') return { type: 'silent', milliseconds: limit, request: 'initialize' }
  if (!reply.ok) return reply.ending ? null : { type: 'refused', words: errorWords(reply.error) }
  const wire = readInitialize(reply.result)
  if (!wire) return { type: 'unreadable', request: 'initialize' }
  if (wire.contract_version.split('.').slice(0, 2).join('.') !== CONTRACT)
    return { type: 'wrong_version', theirs: wire.contract_version, ours: CONTRACT }
  peer.notify('initialized', undefined)
  const methods = new Set(wire.methods)
  return { version: wire.server_info.version, can: method => methods.has(method) }
}

/** Registers the tools of the tool host. Without them nothing would run. */
async function registerTools(requests: Requests, { tools }: ToolHost): Promise<EndCause | null> {
  const params = {
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  }
  const refused = requests.refusal(await requests.send('tools/register', params))
  return refused && { type: 'refused', words: `it did not accept the tools of zotui: ${refused.message}` }
}

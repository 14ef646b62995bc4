/** One run of Meerkat, from the start of its process to its end: what may be sent when, and what its end means. */
import type { AgentSession, OwnSession, Prompt, Reply, SessionCut } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { CallGate } from '../gate/call-gate.ts'
import type { HostedRun, HostedRunOptions } from '../host/hosting.ts'
import { Life } from '../host/life.ts'
import { createPromptSlot, type PromptSlot } from '../host/prompt-slot.ts'
import { BUSY, createRequests, type Requests } from '../host/requests.ts'
import { createRpcPeer, rpcCodes, type RpcError, type RpcPeer, type RpcRequest } from '../transport/json-rpc.ts'
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { errorWords } from './error-words.ts'
import { readCatalog, readSessionEvent, readSkills, readSummary } from './frame.ts'
import { greetMeerkat, registerTools, type MeerkatGreeting } from './handshake.ts'
import { foldHistory } from './session/history.ts'
import type { MeerkatLimits } from './limits.ts'
import { createChoosing, type Choosing } from './choosing.ts'
import { isSameChoice, modelsOf, type ModelChoice } from './models.ts'
import type { MeerkatSessionFlags } from './options.ts'
import { createMeerkatSessions, type MeerkatSession, type MeerkatSessions } from './session/sessions.ts'
import { createSkills, type MeerkatSkills } from './skills.ts'
import { createTurns, type MeerkatTurns, type SessionEntry } from './turns.ts'
import type { PriceOf } from './turn/usage.ts'

export type MeerkatRunOptions = HostedRunOptions & {
  transport: Transport
  limits: MeerkatLimits
  flags: MeerkatSessionFlags
  gate: CallGate | null
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

export class MeerkatRun implements HostedRun {
  readonly choosing: Choosing
  readonly #options: MeerkatRunOptions
  readonly #peer: RpcPeer
  readonly #requests: Requests
  readonly #life: Life
  readonly #sessions: MeerkatSessions
  readonly #turns: MeerkatTurns
  readonly #prompts: PromptSlot
  #greeting: MeerkatGreeting | undefined
  #skills: MeerkatSkills = createSkills([])
  #isOpen = false

  constructor(options: MeerkatRunOptions) {
    this.#options = options
    const { transport, name, limits, redact } = options
    this.#peer = createRpcPeer(transport, {
      onRequest: request => this.#serve(request),
      onNotification: (method, params) => this.#notified(method, params),
      onUnknown: (line, reason) => this.#life.logUnknown(line, reason),
      onDropped: bytes => this.#life.reportDropped(bytes),
    })
    const words = (error: RpcError): string => redact(errorWords(error))
    this.#requests = createRequests({ peer: this.#peer, name, limit: limits.request, words })
    const isGated = options.gate !== null
    this.#sessions = createMeerkatSessions({ requests: this.#requests, flags: options.flags, isGated, redact })
    this.choosing = createChoosing(options)
    this.#turns = createTurns({
      ...options,
      peer: this.#peer,
      requests: this.#requests,
      sessions: this.#sessions,
      can: method => this.#greeting?.can(method) ?? false,
      resolveSkill: text => this.#skills.resolve(text),
    })
    this.#prompts = createPromptSlot({
      ...options,
      abortLimit: limits.abort,
      isRunning: () => this.isRunning,
      refusal: ({ images }) => (images.length > 0 ? this.#blindness() : null),
      changed: () => this.#requests.changed,
      prepare: () => this.#prepare(),
      send: prompting => this.#turns.send(prompting),
      cancel: () => this.#turns.cancel(),
    })
    this.#life = new Life({
      ...options,
      protocol: "Meerkat's contract",
      install: () => INSTALL,
      patience: () => ({ input: limits.closeExit, term: 0 }),
      closeAbort: limits.closeAbort,
      isRunning: () => this.isRunning,
      onEnd: () => this.#ended(),
    })
  }

  get name(): string {
    return this.#options.name
  }

  get isRunning(): boolean {
    return this.#isOpen && !this.#life.isOver
  }

  async open(own?: OwnSession): Promise<void> {
    const { limits, gate, chosen } = this.#options
    const greeting = await greetMeerkat(this.#peer, limits.hello)
    if (greeting === null || this.#life.isEnding) return this.#life.gone
    if ('type' in greeting) return this.#life.fail(greeting)
    this.#greeting = greeting
    const failed = gate && (await registerTools(this.#requests, gate))
    if (failed) return this.#life.isEnding ? this.#life.gone : this.#life.fail(failed)
    const catalog = await this.#requests.send('models/catalog', {})
    this.choosing.models = catalog !== 'timed out' && catalog.ok ? modelsOf(readCatalog(catalog.result)) : []
    if (chosen.provider === '') chosen.provider = this.choosing.model?.provider ?? ''
    const reply = await this.#enter(own)
    if (this.#life.isEnding) return this.#life.gone
    if (!reply.ok) return this.#life.fail({ type: 'refused', words: reply.message })
    const { session, how } = reply.value
    this.#turns.forget()
    await this.#findDefault(session)
    if (this.#life.isEnding) return this.#life.gone
    this.#isOpen = true
    const started = { at: this.#options.now(), agent: this.name, version: greeting.version, ...this.choosing.facts }
    this.#options.emit({ type: 'agent_started', ...started, reasoning: this.choosing.reasoning })
    this.#turns.use(session, how)
    await this.#loadSkills()
  }

  prompt(prompt: Prompt): Promise<void> {
    return this.#prompts.run(prompt)
  }

  abort(): void {
    this.#prompts.abort()
  }

  /** Begins a new session. */
  async clear(): Promise<Reply> {
    return this.#move(async former => {
      const reply = await this.#sessions.create(this.#options.chosen)
      if (!reply.ok) return reply
      if (former && this.#options.archivesCleared) this.#sessions.archive(former)
      return { ok: true, value: { session: reply.value, how: {}, repeated: [] } }
    })
  }

  listSessions(): Promise<Reply<readonly AgentSession[]>> {
    return this.#sessions.list()
  }

  async openSession(id: string): Promise<Reply> {
    return this.#move(async () => {
      const found = await this.#sessions.find(id)
      if (!found.ok) return found
      const messages = await this.#sessions.messages(found.value)
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

  async useModel(id: string): Promise<Reply> {
    return this.choosing.useModel(id)
  }

  async ping(timeout: number): Promise<boolean> {
    const reply = await withTimeout(timeout, this.#peer.request('runtime/health', {}))
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  close(): Promise<void> {
    return this.#life.close(this.#prompts.last)
  }

  kill(): Promise<void> {
    return this.#life.kill()
  }

  /** The reason why the model cannot read images; null if it can, or if that is unknown. */
  #blindness(): string | null {
    const { model } = this.choosing
    return model?.takesImages === false ? `${model.id} does not take images` : null
  }

  /** The session to continue in, or else a new one. */
  async #enter(own: OwnSession | undefined): Promise<Reply<Entered>> {
    const found = own && (await this.#sessions.find(own.id))
    const entered = found?.ok && own?.copy ? await this.#sessions.fork(found.value, this.#asSent(own.cut)) : found
    const isWhole = own?.cut === undefined && own?.id === this.#turns.session?.id
    if (entered?.ok) return { ok: true, value: { session: entered.value, how: { remembers: true }, isWhole } }
    const created = await this.#sessions.create(this.#options.chosen)
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
    if (commands.length > 0) this.#options.emit({ type: 'agent_commands_changed', at: this.#options.now(), commands })
  }

  /** Continues in another session. If that fails, nothing has changed. */
  async #move(open: (former: MeerkatSession | undefined) => Promise<Reply<Entered>>): Promise<Reply> {
    if (!this.isRunning) return { ok: false, message: `${this.name} is not running` }
    if (this.#prompts.isBusy) return BUSY
    return this.#requests.change(async () => {
      const reply = await open(this.#turns.session)
      if (!reply.ok) return reply
      const { session, how, repeated, isWhole = false } = reply.value
      if (!isWhole) this.#turns.forget()
      if (repeated) this.#options.emit({ type: 'conversation_cleared', at: this.#options.now() })
      this.#turns.use(session, how)
      for (const event of repeated ?? []) this.#options.emit(event)
      for (const event of this.choosing.found(session.choice.model, session.choice.provider)) this.#options.emit(event)
      return { ok: true, value: undefined }
    })
  }

  /** Ensures that there is a session with the chosen model. Returns the reason if that fails. */
  async #prepare(): Promise<string | null> {
    const { chosen } = this.#options
    const session = this.#turns.session
    if (!session) {
      const reply = await this.#sessions.create(chosen)
      if (!reply.ok) return reply.message
      this.#turns.use(reply.value)
      return null
    }
    if (!session.hasRun || isSameChoice(session.choice, chosen)) return null
    // A switch within the session would end its text stream for good.
    const reply = await this.#sessions.fork(session)
    if (reply.ok) {
      this.#turns.use(reply.value, { remembers: true })
      this.#sessions.archive(session)
    } else {
      const message = `${this.name} did not copy its session for another model: answers now arrive whole, not word by word`
      this.#options.emit({ type: 'warning_raised', at: this.#options.now(), message: `${message} (${reply.message})` })
    }
    return null
  }

  #notified(method: string, params: unknown): void {
    const { debug } = this.#options
    if (method !== 'session/event') return debug(`unknown notification: ${method}`)
    const event = readSessionEvent(params)
    if (!event) return debug(`an event that cannot be read: ${JSON.stringify(params)}`)
    if (!this.#turns.event(event)) debug(`an event outside of a turn: ${event.type}`)
  }

  /** Runs a zotui tool for the agent, which may request nothing else. */
  #serve(request: RpcRequest): void {
    if (request.method === 'tool/execute' && this.#turns.execute(request)) return
    this.#options.debug(`unsupported request: ${request.method}`)
    request.fail({ code: rpcCodes.unknownMethod, message: `Method not found: ${request.method}` })
  }

  /** The agent has ended: closes what is open. */
  #ended(): void {
    this.#turns.end()
    this.#options.onGone()
  }
}

/** One run of an agent, from the start of its process to its end: what may be sent when, and what its end means. */
import type { AgentSession, Model, ModeChoice, OwnSession, Prompt, Reply, Unasked } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge } from '../../agent/permission.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import type { FormValues } from '../../agent/session-events.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { createRpcPeer, type RpcError, type RpcPeer } from '../transport/json-rpc.ts'
import type { Transport } from '../transport/transport.ts'
import type { Prompting } from '../host/prompting.ts'
import { createPromptSlot, type PromptSlot } from '../host/prompt-slot.ts'
import { findProgram } from '../../platform/programs.ts'
import { createRequests, type Requests } from '../host/requests.ts'
import type { HostedRun } from '../host/hosting.ts'
import { Life } from '../host/life.ts'
import { errorWords } from './error-words.ts'
import { serve } from './serving.ts'
import { greet, type AcpGreeting } from './handshake.ts'
import type { AgentProgram } from './find-agent.ts'
import { installHint } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import type { ModelFacts } from './session/session-facts.ts'
import { createAcpModes, optionFacts, type AcpModes } from './session/own-modes.ts'
import { openFirst } from './session/first.ts'
import type { ChosenLogin } from './session/login.ts'
import { createMoves, type AcpMoves } from './session/moves.ts'
import { optionFor, type SessionOption } from './session/options.ts'
import { createSettings, type AcpSettings } from './session/settings.ts'
import { createPermissions, type AcpPermissions } from './session/permissions.ts'
import { createForms, type Forms } from './session/questions.ts'
import { AcpSessions, PING } from './sessions.ts'
import { promptBlocks } from './turn/content.ts'
import { createUsageCounter, type UsageCounter } from './turn/usage-counter.ts'
import { createOwnCommands, type OwnCommands } from './turn/own-commands.ts'
import { turnEnd, type TurnEnd } from './turn/turn.ts'

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
  /** The environment that it was started with. */
  env: NodeJS.ProcessEnv
  /** The login to begin with; null for none. */
  login: ChosenLogin | null
  /** Options that the user set in earlier sessions. */
  chosen: Map<string, string | boolean>
  /** The mode that the user wants sessions to begin in. */
  start: () => ModeChoice
  /** Called before `agent_ended` is emitted. */
  onGone: () => void
}

export class AcpRun implements HostedRun {
  readonly name: string
  readonly #options: AcpRunOptions
  readonly #peer: RpcPeer
  readonly #requests: Requests
  readonly #sessions: AcpSessions
  readonly #settings: AcpSettings
  readonly #modes: AcpModes
  readonly #moves: AcpMoves
  readonly #permissions: AcpPermissions
  readonly #forms: Forms
  readonly #prompts: PromptSlot
  readonly commands: OwnCommands
  readonly #life: Life
  #greeting: AcpGreeting | undefined
  #counter: UsageCounter | undefined

  constructor(options: AcpRunOptions) {
    this.#options = options
    this.name = options.program.name
    const { transport, program, limits, redact, now, folder, newId, judge } = options
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
      onUnknown: (line, reason) => this.#life.logUnknown(line, reason),
      onDropped: bytes => this.#life.reportDropped(bytes),
    })
    const words = (error: RpcError): string => redact(errorWords(error))
    this.#requests = createRequests({ peer: this.#peer, name: program.name, limit: limits.request, words })
    this.#sessions = new AcpSessions({
      ...options,
      emit: event => {
        this.commands.note(event)
        options.emit(event)
      },
      peer: this.#peer,
      newCallId: () => newId('call'),
      quirks: () => this.#greeting?.known?.quirks ?? {},
      known: optionFacts(() => this.#greeting?.known ?? null, program.args, options.chosen),
      counter: () => (this.#counter ??= createUsageCounter(this.#greeting?.counting ?? null)),
      started: model => this.#started(model),
      opened: () => this.#modes.begin(),
      updated: () => this.#modes.follow(),
    })
    const emit = (event: AgentEvent): void => this.#sessions.emit(event)
    this.commands = createOwnCommands({ name: program.name, pid: transport.pid, grace: limits.left, now, emit })
    const parts = { name: program.name, args: program.args, sessions: this.#sessions, requests: this.#requests }
    this.#settings = createSettings({ ...options, ...parts, emit, applied: () => this.#modes.follow() })
    this.#modes = createAcpModes({
      ...options,
      ...parts,
      emit,
      settings: this.#settings,
      known: () => this.#greeting?.known ?? null,
      remembered: () => this.#moves.remembered,
    })
    this.#moves = createMoves({
      ...parts,
      folder,
      can: () => this.#greeting?.can,
      isBusy: () => this.#prompts.isBusy,
      settled: () => this.#modes.settled,
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
    this.#prompts = createPromptSlot({
      name: program.name,
      emit,
      now,
      abortLimit: limits.abort,
      isRunning: () => this.isRunning,
      refusal: ({ images }) =>
        images.length > 0 && !this.#greeting?.can.images ? `${program.name} does not take images` : null,
      changed: () => this.#requests.changed,
      prepare: async () => {
        await this.#modes.settled
        return this.#modes.refusal()
      },
      send: prompting => this.#send(prompting),
      cancel: () => this.#cancel(),
    })
    this.#life = new Life({
      ...options,
      name: program.name,
      protocol: 'the Agent Client Protocol',
      emit,
      install: () => installHint(this.#greeting?.known ?? program.known),
      patience: () => ({
        input: this.#greeting?.known?.quirks.outlivesInput ? 0 : limits.closeExit,
        term: limits.closeExit,
      }),
      closeAbort: limits.closeAbort,
      isRunning: () => this.isRunning,
      onEnd: () => this.#ended(),
    })
  }

  get greeting(): AcpGreeting | undefined {
    return this.#greeting
  }

  get isRunning(): boolean {
    return !this.#life.isOver && this.#sessions.current !== undefined
  }

  get options(): readonly SessionOption[] {
    return this.#settings.options
  }

  /** Performs the handshake and opens this session, or else a new one. Resolves after `agent_started` or `agent_ended`. */
  async open(session?: OwnSession): Promise<void> {
    const { program, version, limits, env, folder, now } = this.#options
    const find = (command: string): string | null => findProgram(command, env, folder)
    const greeting = await greet(this.#peer, { program, version, limit: limits.hello, find })
    if (greeting === null || this.#life.isEnding) return this.#life.gone
    if ('type' in greeting) return this.#life.fail(greeting)
    this.#greeting = greeting
    const opened = await openFirst(
      { ...this.#options, greeting, peer: this.#peer, moves: this.#moves, sessions: this.#sessions },
      session,
    )
    if (opened.outcome === 'opened') return this.#modes.settled
    if (opened.outcome === 'ended') return this.#life.gone
    if (opened.wantsLogin) this.#sessions.emit({ type: 'login_needed', at: now(), methods: [...greeting.login] })
    return this.#life.fail(opened.cause)
  }

  /** Runs a turn. Resolves when it is over and all its events are emitted. One at a time. */
  prompt(prompt: Prompt): Promise<void> {
    return this.#prompts.run(prompt)
  }

  abort(): void {
    this.#prompts.abort()
  }

  answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule'): void {
    if (!this.#permissions.has(id)) return
    if (answer.answer !== 'stop') return this.#permissions.answer(id, answer, by)
    this.abort()
    this.#permissions.cancelAll('user')
  }

  answerQuestion(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void {
    this.#forms.answer(id, values, how)
  }

  setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.#settings.set(id, value)
  }

  unasked(): Unasked | null {
    return this.isRunning ? this.#modes.unasked() : null
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

  async logOut(): Promise<Reply> {
    return this.#requests.refusal(await this.#requests.send('logout', {})) ?? { ok: true, value: undefined }
  }

  listModels(): readonly Model[] {
    return this.#settings.models()
  }

  async ping(timeout: number): Promise<boolean> {
    const reply = await withTimeout(timeout, this.#peer.request(PING, {}))
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  close(): Promise<void> {
    return this.#life.close(this.#prompts.last)
  }

  kill(): Promise<void> {
    return this.#life.kill()
  }

  async useModel(model: string): Promise<Reply> {
    const option = optionFor(this.options, 'model')
    if (!option) return { ok: false, message: `${this.name} does not let you choose its model` }
    return this.setOption(option.id, model)
  }

  #started(model: ModelFacts): AgentEvent {
    const version = this.#greeting?.version ?? ''
    return { type: 'agent_started', at: this.#options.now(), agent: this.name, version, ...model }
  }

  #send(prompting: Prompting): void {
    const session = this.#sessions.current
    this.#sessions.tell(session?.translation.rest(this.#options.now()))
    session?.translation.beginTurn()
    const params = { sessionId: session?.id, prompt: promptBlocks(prompting.prompt) }
    this.#peer.send('session/prompt', params, reply => {
      if (!prompting.isOver) prompting.end(this.#end(turnEnd(reply), prompting.isAborted))
    })
    // The protocol does not acknowledge a prompt: from here on it can be cancelled.
    prompting.accepted()
  }

  #end(end: TurnEnd, isAborted: boolean): AgentEvent[] {
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
    if (!method.startsWith('_')) this.#options.debug(`unknown notification: ${method}`)
  }

  /** The agent has ended: closes what is open. */
  #ended(): void {
    this.commands.close()
    this.#sessions.end()
    this.#permissions.cancelAll('end')
    this.#forms.cancelAll()
    this.#options.onGone()
  }
}

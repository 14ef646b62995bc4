/** One run of an agent of the Agent Client Protocol: what may be sent when, and what its answers mean. */
import type {
  ModeChoice,
  OwnSession,
  Prompt,
  Refused,
  Reply,
  StartOptions,
  Steer,
  SteerOutcome,
  Unasked,
} from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge } from '../../agent/permission.ts'
import { steerDelivered } from '../../agent/prompt-sent.ts'
import type { PermissionAnswer } from '../../agent/requests.ts'
import { isAtWork } from '../../agent/task-events.ts'
import { findProgram } from '../../platform/programs.ts'
import { processConnection, type AgentConnection } from '../host/connection.ts'
import type { Driver, DriverHost, AgentOperation, StartOutcome } from '../host/driver.ts'
import type { EndWords } from '../host/explain-end.ts'
import { createRequests, type Requests } from '../host/requests.ts'
import { createRpcPeer, rpcCodes, type RpcError, type RpcPeer, type RpcRequest } from '../transport/json-rpc.ts'
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { errorWords } from './error-words.ts'
import type { AgentProgram } from './find-agent.ts'
import { greet, type AcpGreeting } from './handshake.ts'
import { installHint } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import { openFirst } from './session/first.ts'
import type { ChosenLogin } from './session/login.ts'
import {
  noServers,
  serverReports,
  ServersAtWork,
  serversFor,
  withServers,
  type McpServers,
} from './session/mcp-servers.ts'
import { createMoves, type AcpMoves } from './session/moves.ts'
import { optionFor, type SessionOption } from './session/options.ts'
import { AcpModes } from './session/own-modes.ts'
import { optionFacts } from './session/unasking.ts'
import { createPermissions, type AcpPermissions } from './session/permissions.ts'
import { createForms, type Forms } from './session/questions.ts'
import { createSettings, type AcpSettings } from './session/settings.ts'
import { AcpSessions, PING } from './sessions.ts'
import { createCommandWatch, type CommandWatch } from './tasks/command-watch.ts'
import { promptBlocks } from './turn/content.ts'
import { createOwnCommands, type OwnCommands } from './turn/own-commands.ts'
import { AcpSteering } from './turn/steering.ts'
import { turnEnd, type TurnEnd } from './turn/turn.ts'
import { createUsageCounter, type UsageCounter } from './turn/usage-counter.ts'
import { readElicitation, readPermission } from './frame.ts'

export type AcpDriverOptions = {
  transport: Transport
  program: AgentProgram
  /** The machine on which it runs; null for this one. */
  machine: string | null
  /** zotui's own version. */
  version: string
  limits: AcpLimits
  /** The absolute folder that the agent works in. */
  folder: string
  judge: () => Judge | undefined
  /** The environment that it was started with. */
  env: NodeJS.ProcessEnv
  /** The login to begin with; null for none. */
  login: ChosenLogin | null
  /** Options that the user set in earlier sessions. */
  chosen: Map<string, string | boolean>
  /** The folders beside its own that the user has opened. */
  folders: () => readonly string[]
  /** The MCP servers of the user's settings. */
  servers: McpServers
  /** The mode that the user wants sessions to begin in. */
  start: () => ModeChoice
}

export class AcpDriver implements Driver {
  readonly connection: AgentConnection
  readonly limits: AcpLimits
  readonly commands: OwnCommands
  readonly settings: AcpSettings
  readonly moves: AcpMoves
  readonly forms: Forms
  readonly #host: DriverHost
  readonly #options: AcpDriverOptions
  readonly #peer: RpcPeer
  readonly #requests: Requests
  readonly #sessions: AcpSessions
  readonly #modes: AcpModes
  readonly #watch: CommandWatch
  readonly #permissions: AcpPermissions
  readonly #steering: AcpSteering
  #greeting: AcpGreeting | undefined
  #servers = noServers
  #hasReportedServers = false
  readonly #serversAtWork = new ServersAtWork()
  #counter: UsageCounter | undefined
  /** Whether the agent was asked to stop the turn that it began itself. */
  #isStoppingOwn = false

  constructor(host: DriverHost, options: AcpDriverOptions) {
    const { transport, program, machine, limits, folder, judge } = options
    const { name, now, newId, redact } = host
    this.#host = host
    this.#options = options
    this.limits = limits
    this.connection = processConnection(transport, () => ({
      input: this.#greeting?.known?.quirks.outlivesInput ? 0 : limits.closeExit,
      term: limits.closeExit,
    }))
    this.#peer = createRpcPeer(transport, {
      onRequest: request =>
        serve(request, {
          sessions: this.#sessions,
          permissions: this.#permissions,
          forms: this.forms,
          now,
          debug: host.debug,
        }),
      onNotification: (method, params) => this.#notified(method, params),
      onUnknown: host.unknownLine,
      onDropped: host.droppedLine,
    })
    const words = (error: RpcError): string => redact(errorWords(error))
    this.#requests = createRequests({ peer: this.#peer, name, limit: limits.request, words })
    this.#steering = new AcpSteering({
      peer: this.#peer,
      name,
      limit: limits.steer,
      words,
      taken: steer => {
        const at = now()
        this.#sessions.emitAll(this.#sessions.current?.translation.steered(at))
        this.emit(steerDelivered(steer, at))
      },
    })
    this.#sessions = new AcpSessions({
      now,
      debug: host.debug,
      limits,
      folder,
      emit: event => {
        this.commands.note(event)
        host.emit(event)
        this.#followServers(event)
        // Nobody is asked any more what a turn that is over has asked, or the agent between two turns.
        if (event.type === 'turn_ended' || event.type === 'turn_begun') this.#cancelQuestions('end', null)
        // Those of the session before concern nobody.
        if (event.type === 'agent_session_opened') this.#cancelQuestions('end')
        if (event.type === 'turn_begun') this.#isStoppingOwn = false
        if (event.type !== 'task_reported') return
        if (event.state && !isAtWork({ state: event.state })) this.#cancelQuestions('end', event.id)
        else if (event.kind !== undefined && event.kind !== 'subagent') this.#watch.begin()
      },
      peer: this.#peer,
      newCallId: () => newId('call'),
      quirks: () => this.#greeting?.known?.quirks ?? {},
      known: optionFacts(() => this.#greeting?.known ?? null, program.args, options.chosen),
      counter: () => (this.#counter ??= createUsageCounter(this.#greeting?.counting ?? null)),
      started: model => host.started({ version: this.#greeting?.version ?? '', ...model }),
      mayBeginTurn: () => !host.isBusy,
      isAsking: () => this.#permissions.isAsking || this.forms.isAsking,
      opened: () => this.#modes.begin(),
      updated: () => this.#modes.follow(),
    })
    const { emit } = this
    // The process here only makes the connection.
    const pid = machine === null ? transport.pid : undefined
    this.commands = createOwnCommands({ name, pid, grace: limits.left, now, emit })
    this.#watch = createCommandWatch({
      callsRunning: async () => (machine === null ? this.commands.callsRunning() : null),
      background: () => this.#sessions.current?.background,
      now,
      every: limits.commands,
      emitAll: events => this.#sessions.emitAll(events),
    })
    const parts = { name, args: program.args, sessions: this.#sessions, requests: this.#requests, now, emit }
    this.settings = createSettings({ ...parts, chosen: options.chosen, applied: () => this.#modes.follow() })
    this.#modes = new AcpModes({
      ...parts,
      start: options.start,
      env: options.env,
      settings: this.settings,
      known: () => this.#greeting?.known ?? null,
      remembered: () => this.moves.remembered,
    })
    this.moves = createMoves({
      ...parts,
      folder,
      folders: options.folders,
      servers: () => this.#servers.sent,
      can: () => this.#greeting?.can,
      isBusy: () => host.isBusy || this.#sessions.hasOwnTurn,
      settled: () => this.#modes.settled,
    })
    this.#permissions = createPermissions({
      emit,
      now,
      newId: () => newId('ask'),
      folder,
      judge,
      onAllowed: (id, task) => this.#sessions.emitAll(this.#sessions.started(id, task)),
    })
    this.forms = createForms({ emit, now, newId: () => newId('form') })
  }

  get greeting(): AcpGreeting | undefined {
    return this.#greeting
  }

  get isReady(): boolean {
    return this.#sessions.current !== undefined
  }

  get options(): readonly SessionOption[] {
    return this.settings.options
  }

  get endWords(): EndWords {
    const { program, machine } = this.#options
    const hint = installHint(this.#greeting?.known ?? program.known)
    const install = machine === null || hint === '' ? hint : `on ${machine}, ${hint}`
    return { name: this.#host.name, protocol: 'the Agent Client Protocol', install }
  }

  async start(session?: OwnSession): Promise<StartOutcome> {
    const { program, machine, version, limits, env, folder, login, servers } = this.#options
    const find = (command: string): string | null => (machine === null ? findProgram(command, env, folder) : command)
    const greeting = await greet(this.#peer, { program, version, limit: limits.hello, find })
    if (greeting === null || this.#host.isEnding) return 'ended'
    if ('type' in greeting) return greeting
    this.#greeting = greeting
    this.#servers = serversFor(servers, { agent: this.#host.name, machine, env, can: greeting.can.mcp })
    const parts = { limits, env, login, greeting, peer: this.#peer, moves: this.moves, sessions: this.#sessions }
    const opened = await openFirst(parts, session)
    if (opened.outcome === 'ended') return 'ended'
    if (opened.outcome === 'opened') {
      await this.#modes.settled
      return 'ready'
    }
    if (opened.wantsLogin) this.emit({ type: 'login_needed', at: this.#host.now(), methods: [...greeting.login] })
    return opened.wantsLogin ? opened.cause : withServers(opened.cause, this.#servers)
  }

  readonly emit = (event: AgentEvent): void => this.#sessions.emit(event)

  refusal({ images }: Prompt): string | null {
    return images.length > 0 && !this.#greeting?.can.images ? `${this.#host.name} does not take images` : null
  }

  get changed(): Promise<unknown> {
    return this.#requests.changes.made
  }

  async prepare(): Promise<string | null> {
    await this.#modes.settled
    return this.#modes.refusal()
  }

  send(operation: AgentOperation, prompt: Prompt): void {
    const session = this.#sessions.current
    this.#sessions.emitAll(session?.translation.rest(this.#host.now()))
    session?.translation.beginTurn()
    if (this.#greeting?.known?.quirks.ownTurns === 'status') session?.background.prompted(prompt.text)
    const params = { sessionId: session?.id, prompt: this.#blocks(prompt) }
    this.#peer.send('session/prompt', params, reply => {
      const end = (): void => {
        if (!operation.isOver) operation.end(this.#end(turnEnd(reply), operation.isAborted))
      }
      // The agent may say only now that it took the user's words into this turn, or that they came too late.
      const { answered } = this.#steering
      if (answered === null || !reply.ok) end()
      else void answered.then(end)
    })
    // The protocol does not acknowledge a prompt: from here on it can be cancelled.
    operation.accepted()
  }

  cancel(): void {
    this.#peer.notify('session/cancel', { sessionId: this.#sessions.current?.id })
    this.#steering.stop()
    this.#cancelQuestions('end', null)
  }

  cancelOwnTurn(): void {
    const session = this.#sessions.current
    if (!session?.translation.hasOwnTurn) return
    this.#peer.notify('session/cancel', { sessionId: session.id })
    this.emit({ type: 'abort_requested', at: this.#host.now() })
    this.#isStoppingOwn = true
    this.#steering.stop()
    this.#cancelQuestions('end', null)
    this.#sessions.stopsOwnTurn()
  }

  operationBegins(): void {
    this.#sessions.endOwnTurn()
    // What the agent asked between two turns is no longer shown.
    this.#cancelQuestions('end', null)
  }

  /** Stops a subagent or a command in the background: the others and the agent's own turn go on. */
  async stopTask(task: string): Promise<Reply> {
    const background = this.#sessions.current?.background
    const call = background?.commandOf(task) ?? null
    if (call !== null) {
      const reply = await this.commands.endOf(call)
      if (reply.ok) background?.stopping(task)
      return reply
    }
    return this.#stopChild(task)
      ? { ok: true, value: undefined }
      : { ok: false, message: `${this.#host.name} cannot stop it` }
  }

  #stopChild(task: string): boolean {
    const sessionId = this.#sessions.stoppable(task)
    if (sessionId !== null) this.#peer.notify('session/cancel', { sessionId })
    return sessionId !== null
  }

  /** The agent itself decides whether its turn can still take them. */
  async steer(steer: Steer): Promise<SteerOutcome> {
    const session = this.#sessions.current
    const { operation, isBusy } = this.#host
    const message = this.refusal(steer.prompt)
    if (message !== null) return { how: 'refused', message }
    const isStopping = isBusy ? operation?.isAborted === true : this.#isStoppingOwn
    if (!session?.translation.hasTurn || this.#sessions.isOpening || isStopping) return { how: 'over' }
    return this.#steering.send(session.id, steer, this.#blocks(steer.prompt))
  }

  clear(): Promise<Reply> {
    return this.moves.to(this.moves.fresh)
  }

  resumeSession(session: OwnSession): Promise<Reply> {
    return this.moves.resume(session)
  }

  async takeOver({ model }: StartOptions): Promise<Refused | null> {
    if (!model) return null
    const option = optionFor(this.options, 'model')
    if (!option) return { ok: false, message: `${this.#host.name} does not let you choose its model` }
    const reply = await this.settings.set(option.id, model)
    return reply.ok ? null : reply
  }

  async ping(timeout: number): Promise<boolean> {
    const reply = await withTimeout(timeout, this.#peer.request(PING, {}))
    return reply !== 'timed out' && (reply.ok || reply.ending === null)
  }

  ended(): void {
    this.commands.close()
    this.#watch.end()
    this.#sessions.end()
    this.#cancelQuestions('end')
  }

  answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule'): void {
    if (!this.#permissions.has(id)) return
    if (answer.answer !== 'stop') return this.#permissions.answer(id, answer, by)
    const task = this.#permissions.taskOf(id)
    if (task === null || !this.#stopChild(task)) this.#host.abort()
    this.#permissions.cancelAll('user', task)
  }

  unasked(): Unasked | null {
    return this.#host.isRunning ? this.#modes.unasked() : null
  }

  /** The agent's own session gets the title. */
  async rename(title: string): Promise<Reply> {
    const reply = await this.#requests.send('session/set_title', { sessionId: this.#sessions.current?.id, title })
    return this.#requests.refusal(reply) ?? { ok: true, value: undefined }
  }

  async logOut(): Promise<Reply> {
    return this.#requests.refusal(await this.#requests.send('logout', {})) ?? { ok: true, value: undefined }
  }

  #blocks(prompt: Prompt): object[] {
    return promptBlocks(prompt, this.#greeting?.can.embed ?? false)
  }

  #end(end: TurnEnd, isAborted: boolean): AgentEvent[] {
    this.#sessions.current?.background.turnOver()
    this.#cancelQuestions('end', null)
    const login = this.#greeting?.login ?? []
    return this.#sessions.current?.translation.endTurn(end, { isAborted, login }, this.#host.now()) ?? []
  }

  #followServers(event: AgentEvent): void {
    for (const report of this.#serversAtWork.after(event, this.#servers)) this.#host.emit(report)
    if (event.type !== 'agent_session_opened') return
    for (const report of serverReports(this.#servers, !this.#hasReportedServers, event.at)) this.#host.emit(report)
    this.#hasReportedServers = true
  }

  /** See `AcpPermissions.cancelAll`. */
  #cancelQuestions(by: 'user' | 'end', of?: string | null): void {
    this.#permissions.cancelAll(by, of)
    this.forms.cancelAll(of)
  }

  #notified(method: string, params: unknown): void {
    if (method === 'session/update') return this.#sessions.update(params)
    if (!method.startsWith('_')) this.#host.debug(`unknown notification: ${method}`)
  }
}

type ServingOptions = {
  sessions: AcpSessions
  permissions: AcpPermissions
  forms: Forms
  now: () => number
  debug: (message: string) => void
}

/** Answers a request, or passes it on for the user's decision. */
function serve(request: RpcRequest, { sessions, permissions, forms, now, debug }: ServingOptions): void {
  switch (request.method) {
    case 'session/request_permission': {
      const wire = readPermission(request.params)
      // A request of another session, or during a replay, cannot be decided here.
      const asking = wire && !sessions.isOpening ? sessions.asking(wire.sessionId) : null
      if (!wire || !asking) return request.succeed({ outcome: { outcome: 'cancelled' } })
      sessions.emitAll([...asking.asks(now()), ...asking.asked(wire.toolCall, now())])
      return permissions.ask(request, wire, asking.call(wire.toolCall.toolCallId), asking.id)
    }
    case 'elicitation/create': {
      const wire = readElicitation(request.params)
      if (!wire) return request.fail({ code: -32602, message: 'Invalid params' })
      // A session that is still opening may fail, so the user cannot answer its form.
      if (sessions.isOpening) return request.succeed({ action: 'cancel' })
      const asking = sessions.asking(wire.sessionId ?? '')
      sessions.emitAll(asking?.asks(now()))
      return forms.ask(request, wire, asking?.id ?? null)
    }
    default:
      debug(`unsupported request: ${request.method}`)
      request.fail({ code: rpcCodes.unknownMethod, message: `Method not found: ${request.method}` })
  }
}

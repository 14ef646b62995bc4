/** The `Backend` for agents of the Agent Client Protocol. */
import type { Ability } from '../../agent/abilities.ts'
import type {
  Backend,
  LoginProgram,
  Model,
  ModeChoice,
  Reply,
  Steer,
  SteerOutcome,
  Unasked,
} from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { foldersClosed } from '../../agent/folders-closed.ts'
import type { Judge } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import type { LoginMethod } from '../../agent/session-events.ts'
import type { CommandBox } from '../../platform/shell/run.ts'
import { cameBack, type DriverHost } from '../host/driver.ts'
import { HostedBackend, type HostOptions } from '../host/hosted-backend.ts'
import type { Transport } from '../transport/transport.ts'
import type { AgentSandbox, HeldAgent } from './box/agent-sandbox.ts'
import type { AgentProgram } from './find-agent.ts'
import { createWantQuestions, type WantQuestions } from './session/want-questions.ts'
import { modeVariables } from './session/unasking.ts'
import { lookup } from '../../text/lookup.ts'
import { findProgram } from '../../platform/programs.ts'
import type { ChosenLogin } from './session/login.ts'
import type { McpServers } from './session/mcp-servers.ts'
import { ACP_LIMITS, type AcpLimits } from './limits.ts'
import { AcpDriver } from './driver.ts'
import { optionFor } from './session/options.ts'

export type AcpBackendOptions = HostOptions & {
  agent: AgentProgram
  /**
   * Starts the agent, with these variables in its environment, and without those that are undefined; or in a box, which has its own. Called for
   * each `open`.
   */
  connect: (variables: Readonly<Record<string, string | undefined>>, box: CommandBox | null) => Transport
  /** Holds its process if the user wants that; absent where nothing can. */
  sandbox?: AgentSandbox | null
  /** The absolute folder that the agent works in. */
  folder: string
  /** The agent's environment. */
  env: NodeJS.ProcessEnv
  /** The MCP servers of the user's settings as they are now. */
  servers?: () => McpServers
  /** Set for an agent on another machine. */
  remote?: RemoteAgent
  /** zotui's own version, which the handshake sends. */
  version: string
  /** Overrides of the default limits. */
  limits?: Partial<AcpLimits>
}

/** What is different for an agent on another machine. */
export type RemoteAgent = {
  /** The name of the machine. Not sanitised. */
  machine: string
  /** Runs a login command there in the user's terminal; null where no terminal can be had. */
  inTerminal: (command: { file: string; args: readonly string[] }) => Omit<LoginProgram, 'words'> | null
  /** Before each start but the first: waits until the machine is there again. Resolves to why it is not; null if it is. */
  comeBack: () => Promise<string | null>
}

/**
 * Creates the backend; `open` starts the process. The agent has reported what it is able to do once it has started.
 */
export function createAcpBackend(options: AcpBackendOptions): Backend {
  return new AcpBackend(options)
}

class AcpBackend extends HostedBackend<AcpDriver> {
  readonly #options: AcpBackendOptions
  readonly #chosen = new Map<string, string | boolean>()
  #judge: Judge | undefined
  #methods: readonly LoginMethod[] = []
  #loginProgram: LoginProgram | null = null
  /** The login for the next start. */
  #login: ChosenLogin | null = null
  #start: ModeChoice = { mode: 'ask', isChosen: false }
  /** What holds the next run, and the current one. */
  #held: HeldAgent | null = null
  #holding: (HeldAgent & { ended: AbortSignal }) | null = null
  /** Resolves when what the last run has left is held. */
  #lastLook: Promise<void> = Promise.resolve()
  readonly #wants: WantQuestions
  #hasRun = false

  constructor(options: AcpBackendOptions) {
    super(options.agent.name, options)
    this.#options = options
    this.#wants = createWantQuestions({
      emit: event => this.emit(event),
      now: this.now,
      folder: options.folder,
      judge: () => this.#judge,
    })
    this.#learnLogin()
    this.subscribe(({ type }) => {
      if (type === 'turn_ended' && this.#holding) void this.#askAboutLeft(this.#holding)
    })
  }

  override setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.ask(({ settings }) => settings.set(id, value))
  }

  override judgeWith(judge: Judge): void {
    this.#judge = judge
  }

  override startIn(choice: ModeChoice): void {
    this.#start = choice
  }

  override unasked(): Unasked | null {
    return this.driver?.unasked() ?? null
  }

  override answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    if (!this.#wants.has(id)) return this.driver?.answerPermission(id, answer, by)
    this.#wants.answer(id, answer, by)
    if (answer.answer === 'stop') this.abort()
  }

  override answerQuestion(...answer: Parameters<Backend['answerQuestion']>): void {
    this.driver?.forms.answer(...answer)
  }

  override async listRunning(): Promise<readonly RunningCommand[]> {
    return this.driver?.commands.list() ?? []
  }

  override stopTask(id: string): Promise<Reply> {
    return this.ask(driver => driver.stopTask(id))
  }

  override endRunning(pid: number): Promise<Reply> {
    return this.ask(({ commands }) => commands.end(pid))
  }

  /** Before its start they are kept for that. An agent that runs opens its session again with them. */
  override async setFolders(folders: readonly string[]): Promise<Reply<string | null>> {
    const { driver } = this
    if (!driver?.greeting) {
      this.keepFolders(folders)
      return { ok: true, value: null }
    }
    if (!this.abilities.has('setFolders')) return this.unsupported()
    if (JSON.stringify(folders) === JSON.stringify(this.folders)) return { ok: true, value: null }
    this.keepFolders(folders)
    const mode = optionFor(driver.options, 'mode')?.value
    const reply = await this.ask(({ moves }) => moves.again(typeof mode === 'string' ? mode : null))
    return { ok: true, value: reply.ok ? null : reply.message }
  }

  /** Only an agent that runs says that it takes no folders. */
  protected override emit(event: AgentEvent): void {
    super.emit(event)
    if (event.type !== 'agent_started' || this.folders.length === 0 || this.abilities.has('setFolders')) return
    super.emit(foldersClosed(`${this.name} takes none`, event.at))
    this.keepFolders([])
  }

  override renameSession(title: string): Promise<Reply> {
    return this.#askAble('renameSession', driver => driver.rename(title))
  }

  override logInWith(method: string, key: string | null): void {
    this.#login = { method, key }
  }

  override steer(steer: Steer): Promise<SteerOutcome> {
    return this.driver && this.abilities.has('steer') ? this.driver.steer(steer) : super.steer(steer)
  }

  override listSessions(): ReturnType<Backend['listSessions']> {
    return this.#askAble('listSessions', ({ moves }) => moves.list())
  }

  override openSession(id: string): Promise<Reply> {
    return this.#askAble('openSession', ({ moves }) => moves.open(id))
  }

  override listModels(): Promise<Reply<readonly Model[]>> {
    return this.ask(({ settings }) => ({ ok: true, value: settings.models() }))
  }

  override setModel(id: string): Promise<Reply> {
    return this.#askAble('setModel', driver => this.#setCategory(driver, 'model', id))
  }

  override setReasoning(level: string): Promise<Reply> {
    return this.#askAble('setReasoning', driver => this.#setCategory(driver, 'reasoning', level))
  }

  override login(): LoginProgram | null {
    return this.#loginProgram
  }

  override loginMethods(): readonly LoginMethod[] {
    return this.#methods
  }

  override async logOut(): Promise<Reply<string>> {
    const { agent, env } = this.#options
    const reply = await this.#askAble('logOut', driver => driver.logOut())
    const { variables = [] } = (this.driver?.greeting?.known ?? agent.known)?.keyLogin ?? {}
    return reply.ok ? { ok: true, value: variables.find(name => lookup(env, name)) ?? '' } : reply
  }

  #takeLogin(): ChosenLogin | null {
    const login = this.#login
    this.#login = null
    return login
  }

  protected override prepareRun(): Promise<void> | null {
    const { sandbox, env, remote } = this.#options
    const isFirst = !this.#hasRun
    this.#hasRun = true
    if (remote) return isFirst ? null : cameBack(remote.comeBack)
    const holding = sandbox?.hold({
      env: { ...env, ...this.#modeVariables() },
      ask: this.#wants.ask,
    })
    return holding ? holding.then(held => void (this.#held = held)) : null
  }

  protected override discardRun(): void {
    this.#held?.close()
    this.#held = null
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#lastLook
  }

  override async kill(): Promise<void> {
    await super.kill()
    await this.#lastLook
  }

  /** Looks at what the agent has left once more when it has ended. */
  async #follow(held: HeldAgent, { ended }: Transport): Promise<void> {
    const end = new AbortController()
    const holding = { ...held, ended: end.signal }
    this.#holding = holding
    await ended
    if (this.#holding === holding) this.#holding = null
    end.abort()
    await held.left()
    held.close()
  }

  /** What the agent has left is held until the user has looked at it, also where they are not asked any more. */
  async #askAboutLeft(held: HeldAgent & { ended: AbortSignal }): Promise<void> {
    const places = await held.left()
    if (places.length === 0) return
    const answer = await this.#wants.ask({ kind: 'left', places }, held.ended)
    if (answer === 'no') return
    for (const message of await held.answerLeft(places, answer === 'remove' ? 'remove' : 'keep'))
      this.emit({ type: 'warning_raised', at: this.now(), message: `${message}.` })
  }

  #modeVariables(): Record<string, string | undefined> {
    return modeVariables(this.#options.agent.known, this.#start.mode, this.#options.env)
  }

  protected connect(host: DriverHost): AcpDriver {
    const { agent, connect, folder, env, version, limits, servers, remote } = this.#options
    const variables = this.#modeVariables()
    const held = this.#held
    this.#held = null
    const transport = connect(variables, held?.box ?? null)
    if (held) this.#lastLook = this.#follow(held, transport)
    return new AcpDriver(host, {
      transport,
      env: { ...env, ...variables },
      program: agent,
      machine: remote?.machine ?? null,
      version,
      limits: { ...ACP_LIMITS, ...limits },
      folder,
      judge: () => this.#judge,
      chosen: this.#chosen,
      servers: servers?.() ?? {},
      folders: () => this.folders,
      start: () => this.#start,
      login: this.#takeLogin(),
    })
  }

  protected *able(): Iterable<Ability> {
    this.#learnLogin()
    yield* ALWAYS
    // Processes of another machine cannot be listed.
    if (!this.#options.remote) yield 'listRunning'
    if (this.#methods.length > 0) yield 'loginMethods'
    if (this.#loginProgram) yield 'login'
    const { can } = this.driver?.greeting ?? {}
    const options = this.driver?.options ?? []
    if (can?.list === true) yield 'listSessions'
    if (can?.load === true || can?.resume === true) yield 'openSession'
    if (can?.logOut === true) yield 'logOut'
    if (can?.rename === true) yield 'renameSession'
    if (can?.addFolders === true) yield 'setFolders'
    if (can?.steer === true) yield 'steer'
    if (optionFor(options, 'model')) yield* ['listModels', 'setModel'] as const
    if (optionFor(options, 'reasoning')) yield 'setReasoning'
  }

  /** The login command that the agent reports, otherwise that of the table. */
  #learnLogin(): void {
    const { agent, env, folder, remote } = this.#options
    const { login = [], known = agent.known } = this.driver?.greeting ?? {}
    const methods = remote ? login.flatMap(method => remoteMethod(method, remote)) : login
    if (methods.length > 0) this.#methods = methods
    const own = login.find(method => method.command)?.command
    const find = (file: string): string | null => (remote ? file : findProgram(file, env, folder))
    const file = known?.login && (known.login.file === known.command ? agent.file : find(known.login.file))
    const command = own ?? (known?.login && file ? { file, args: known.login.args } : null)
    const program = command && (remote ? remote.inTerminal(command) : { ...command, env })
    if (!command || !program) return
    const isItself = command.args.length === 0
    const at = remote ? `on ${remote.machine}` : 'here'
    const words = isItself
      ? ' itself: log in, then end it to return to zotui'
      : ` logs in ${at}; zotui returns when it is done`
    this.#loginProgram = { ...program, words: `${this.name}${words}` }
  }

  /** Requests what only some agents can do: another agent gets no request that it does not know. */
  async #askAble<Value>(
    ability: Ability,
    request: (driver: AcpDriver) => Promise<Reply<Value>>,
  ): Promise<Reply<Value>> {
    return this.abilities.has(ability) ? this.ask(request) : this.unsupported()
  }

  async #setCategory(driver: AcpDriver, category: 'model' | 'reasoning', value: string): Promise<Reply> {
    const option = optionFor(driver.options, category)
    if (!option) return this.unsupported()
    const off = option.choices.find(choice => OFF.has(choice.value))
    if (category === 'reasoning' && value === '' && !off)
      return { ok: false, message: `${this.name} cannot turn its reasoning off` }
    return driver.settings.set(option.id, value === '' ? (off?.value ?? '') : value)
  }
}

/** A login in a terminal needs one there. */
function remoteMethod(method: LoginMethod, { inTerminal }: RemoteAgent): LoginMethod[] {
  if (!method.command) return [method]
  const program = inTerminal(method.command)
  return program ? [{ ...method, command: { file: program.file, args: [...program.args] } }] : []
}

const ALWAYS = ['resumeSession', 'setOption', 'judgeWith', 'startIn', 'stopTask', 'logInWith', 'servers'] as const

/** The names that agents use for no reasoning. */
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'disabled'])

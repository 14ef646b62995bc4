/** The `Backend` for agents of the Agent Client Protocol. */
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, LoginProgram, Model, ModeChoice, Reply, Unasked } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import type { LoginMethod } from '../../agent/session-events.ts'
import { createDebug, HostingBackend } from '../host/hosting.ts'
import type { Transport } from '../transport/transport.ts'
import type { AgentProgram } from './find-agent.ts'
import { modeVariables } from './session/own-modes.ts'
import { lookup } from '../../text/lookup.ts'
import { findProgram } from '../../platform/programs.ts'
import type { ChosenLogin } from './session/login.ts'
import { ACP_LIMITS, type AcpLimits } from './limits.ts'
import { AcpRun } from './run.ts'
import { optionFor } from './session/options.ts'

export type AcpBackendOptions = {
  agent: AgentProgram
  /** Starts the agent, with these variables in its environment, and without those that are undefined. Called for each `open`. */
  connect: (variables: Readonly<Record<string, string | undefined>>) => Transport
  /** The absolute folder that the agent works in. */
  folder: string
  /** The agent's environment. */
  env: NodeJS.ProcessEnv
  /** zotui's own version, told in the handshake. */
  version: string
  /** Overrides of the default limits. */
  limits?: Partial<AcpLimits>
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives the agent's output that zotui does not understand, shortened, for a log. */
  debug?: (message: string) => void
  /** Removes secrets before a text is shortened. */
  redact?: (text: string) => string
}

/**
 * Creates the backend; `open` starts the process. The agent has reported what it is able to do once it has started.
 */
export function createAcpBackend(options: AcpBackendOptions): Backend {
  return new AcpBackend(options)
}

class AcpBackend extends HostingBackend<AcpRun> {
  readonly #options: AcpBackendOptions
  readonly #chosen = new Map<string, string | boolean>()
  #judge: Judge | undefined
  #methods: readonly LoginMethod[] = []
  #loginProgram: LoginProgram | null = null
  /** The login for the next start. */
  #login: ChosenLogin | null = null
  #start: ModeChoice = { mode: 'ask', isChosen: false }
  #count = 0

  constructor(options: AcpBackendOptions) {
    super(options.agent.name, options.now)
    this.#options = options
    this.#learnLogin()
  }

  override async setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.run?.setOption(id, value) ?? this.notRunning()
  }

  override judgeWith(judge: Judge): void {
    this.#judge = judge
  }

  override startIn(choice: ModeChoice): void {
    this.#start = choice
  }

  override unasked(): Unasked | null {
    return this.run?.unasked() ?? null
  }

  override answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    this.run?.answerPermission(id, answer, by)
  }

  override answerQuestion(...answer: Parameters<Backend['answerQuestion']>): void {
    this.run?.answerQuestion(...answer)
  }

  override async listRunning(): Promise<readonly RunningCommand[]> {
    return this.run?.commands.list() ?? []
  }

  override async endRunning(pid: number): Promise<Reply> {
    return this.run?.commands.end(pid) ?? this.notRunning()
  }

  override logInWith(method: string, key: string | null): void {
    this.#login = { method, key }
  }

  override listSessions(): ReturnType<Backend['listSessions']> {
    return this.#ask('listSessions', run => run.listSessions())
  }

  override openSession(id: string): Promise<Reply> {
    return this.#ask('openSession', run => run.openSession(id))
  }

  override async listModels(): Promise<Reply<readonly Model[]>> {
    return this.run ? { ok: true, value: this.run.listModels() } : this.notRunning()
  }

  override setModel(id: string): Promise<Reply> {
    return this.#ask('setModel', run => this.#setCategory(run, 'model', id))
  }

  override setReasoning(level: string): Promise<Reply> {
    return this.#ask('setReasoning', run => this.#setCategory(run, 'reasoning', level))
  }

  override login(): LoginProgram | null {
    return this.#loginProgram
  }

  override loginMethods(): readonly LoginMethod[] {
    return this.#methods
  }

  override async logOut(): Promise<Reply<string>> {
    const { agent, env } = this.#options
    const reply = await this.#ask('logOut', run => run.logOut())
    const { variables = [] } = (this.run?.greeting?.known ?? agent.known)?.keyLogin ?? {}
    return reply.ok ? { ok: true, value: variables.find(name => lookup(env, name)) ?? '' } : reply
  }

  #takeLogin(): ChosenLogin | null {
    const login = this.#login
    this.#login = null
    return login
  }

  protected connect(emit: (event: AgentEvent) => void, onGone: () => void): AcpRun {
    const { agent, connect, folder, env, version, limits, redact = text => text } = this.#options
    const variables = modeVariables(agent.known, this.#start.mode, env)
    return new AcpRun({
      transport: connect(variables),
      env: { ...env, ...variables },
      program: agent,
      version,
      limits: { ...ACP_LIMITS, ...limits },
      now: this.now,
      emit,
      debug: createDebug(this.#options),
      redact,
      folder,
      newId: kind => `${kind}-${(this.#count += 1)}`,
      judge: () => this.#judge,
      chosen: this.#chosen,
      start: () => this.#start,
      login: this.#takeLogin(),
      onGone,
    })
  }

  protected *able(): Iterable<Ability> {
    this.#learnLogin()
    yield* ALWAYS
    if (this.#methods.length > 0) yield 'loginMethods'
    if (this.#loginProgram) yield 'login'
    const { can } = this.run?.greeting ?? {}
    const options = this.run?.options ?? []
    if (can?.list === true) yield 'listSessions'
    if (can?.load === true || can?.resume === true) yield 'openSession'
    if (can?.logOut === true) yield 'logOut'
    if (optionFor(options, 'model')) yield* ['listModels', 'setModel'] as const
    if (optionFor(options, 'reasoning')) yield 'setReasoning'
  }

  /** The login command that the agent reports, otherwise that of the table. */
  #learnLogin(): void {
    const { agent, env, folder } = this.#options
    const { login: methods = [], known = agent.known } = this.run?.greeting ?? {}
    if (methods.length > 0) this.#methods = methods
    const own = methods.find(method => method.command)?.command
    const file =
      known?.login && (known.login.file === known.command ? agent.file : findProgram(known.login.file, env, folder))
    const command = own ?? (known?.login && file ? { file, args: known.login.args } : null)
    if (!command) return
    const isItself = command.args.length === 0
    const words = isItself
      ? ' itself: log in, then end it to return to zotui'
      : ' logs in here; zotui returns when it is done'
    this.#loginProgram = { ...command, env, words: `${this.name}${words}` }
  }

  /** Requests what only some agents can do: another agent gets no request that it does not know. */
  async #ask<Value>(ability: Ability, request: (run: AcpRun) => Promise<Reply<Value>>): Promise<Reply<Value>> {
    if (!this.abilities.has(ability)) return this.unsupported()
    return this.run ? request(this.run) : this.notRunning()
  }

  async #setCategory(run: AcpRun, category: 'model' | 'reasoning', value: string): Promise<Reply> {
    const option = optionFor(run.options, category)
    if (!option) return this.unsupported()
    const off = option.choices.find(choice => OFF.has(choice.value))
    if (category === 'reasoning' && value === '' && !off)
      return { ok: false, message: `${this.name} cannot turn its reasoning off` }
    return run.setOption(option.id, value === '' ? (off?.value ?? '') : value)
  }
}

const ALWAYS = ['setOption', 'judgeWith', 'startIn', 'listRunning', 'logInWith'] as const

/** The names that agents use for no reasoning. */
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'disabled'])

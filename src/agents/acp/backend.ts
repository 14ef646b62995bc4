/** The `Backend` for agents of the Agent Client Protocol. */
import type { Backend, ModeChoice, Reply, Unasked } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionAnswer, RunningCommand } from '../../agent/permission.ts'
import type { FormValues } from '../../agent/session-events.ts'
import { createDebug, HostingBackend } from '../rpc/hosting.ts'
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
 * Creates the backend; `open` starts the process. The agent's optional methods are absent until it has started and reported its
 * abilities.
 */
export function createAcpBackend(options: AcpBackendOptions): Backend {
  return new AcpBackend(options)
}

class AcpBackend extends HostingBackend<AcpRun> implements Backend {
  login?: NonNullable<Backend['login']>
  loginMethods?: NonNullable<Backend['loginMethods']>
  readonly #options: AcpBackendOptions
  readonly #chosen = new Map<string, string | boolean>()
  #judge: Judge | undefined
  /** The login for the next start. */
  #login: ChosenLogin | null = null
  #start: ModeChoice = { mode: 'ask', isChosen: false }
  #count = 0

  constructor(options: AcpBackendOptions) {
    super(options.agent.name, options.now)
    this.#options = options
    this.#offerLogin()
  }

  async setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.run?.setOption(id, value) ?? this.notRunning()
  }

  judgeWith(judge: Judge): void {
    this.#judge = judge
  }

  startIn(choice: ModeChoice): void {
    this.#start = choice
  }

  unasked(): Unasked | null {
    return this.run?.unasked() ?? null
  }

  answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    this.run?.answerPermission(id, answer, by)
  }

  answerQuestion(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void {
    this.run?.answerQuestion(id, values, how)
  }

  async listRunning(): Promise<readonly RunningCommand[]> {
    return this.run?.commands.list() ?? []
  }

  async endRunning(pid: number): Promise<Reply> {
    return this.run?.commands.end(pid) ?? this.notRunning()
  }

  logInWith(method: string, key: string | null): void {
    this.#login = { method, key }
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

  protected offer(): void {
    const run = this.run
    if (!run) return
    const { can } = run.greeting ?? {}
    this.setAbility('listSessions', can?.list === true && (async () => this.run?.listSessions() ?? this.notRunning()))
    this.setAbility(
      'openSession',
      (can?.load === true || can?.resume === true) && (async id => this.run?.openSession(id) ?? this.notRunning()),
    )
    const hasModels = optionFor(run.options, 'model') !== undefined
    this.setAbility(
      'listModels',
      hasModels && (async () => (this.run ? { ok: true, value: this.run.listModels() } : this.notRunning())),
    )
    this.setAbility('setModel', hasModels && (id => this.#setCategory('model', id)))
    this.setAbility(
      'setReasoning',
      optionFor(run.options, 'reasoning') !== undefined && (level => this.#setCategory('reasoning', level)),
    )
    this.setAbility('logOut', can?.logOut === true && (() => this.#logOut()))
    this.#offerLogin()
  }

  async #logOut(): Promise<Reply<string>> {
    const { agent, env } = this.#options
    const reply = (await this.run?.logOut()) ?? this.notRunning()
    const { variables = [] } = (this.run?.greeting?.known ?? agent.known)?.keyLogin ?? {}
    return reply.ok ? { ok: true, value: variables.find(name => lookup(env, name)) ?? '' } : reply
  }

  /** The login command that the agent reports, otherwise that of the table. */
  #offerLogin(): void {
    const { agent, env, folder } = this.#options
    const { login: methods = [], known = agent.known } = this.run?.greeting ?? {}
    if (methods.length > 0) this.loginMethods = () => methods
    const own = methods.find(method => method.command)?.command
    const file =
      known?.login && (known.login.file === known.command ? agent.file : findProgram(known.login.file, env, folder))
    const command = own ?? (known?.login && file ? { file, args: known.login.args } : null)
    if (!command) return
    const isItself = command.args.length === 0
    const words = isItself
      ? ' itself: log in, then end it to return to zotui'
      : ' logs in here; zotui returns when it is done'
    this.login = () => ({ ...command, env, words: `${this.name}${words}` })
  }

  async #setCategory(category: 'model' | 'reasoning', value: string): Promise<Reply> {
    const option = optionFor(this.run?.options ?? [], category)
    if (!this.run || !option) return this.notRunning()
    const off = option.choices.find(choice => OFF.has(choice.value))
    if (category === 'reasoning' && value === '' && !off)
      return { ok: false, message: `${this.name} cannot turn its reasoning off` }
    return this.run.setOption(option.id, value === '' ? (off?.value ?? '') : value)
  }
}

/** The names that agents use for no reasoning. */
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'disabled'])

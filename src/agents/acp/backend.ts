/** An agent of the Agent Client Protocol behind the `Backend` contract. */
import type { Backend, OwnSession, Prompt, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionAnswer } from '../../agent/permission.ts'
import type { FormValues } from '../../agent/session-events.ts'
import type { Transport } from '../transport/transport.ts'
import type { AgentProgram } from './known-agents.ts'
import { ACP_LIMITS, type AcpLimits } from './limits.ts'
import { AcpRun } from './run.ts'
import { optionFor } from './session/options.ts'

export type AcpBackendOptions = {
  agent: AgentProgram
  /** Starts the agent. Called for each `open`. */
  connect: () => Transport
  /** The absolute folder that the agent works in. */
  folder: string
  /** The agent's environment, for logging in. */
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

const MAX_DEBUG = 500

/** Makes the backend; `open` starts the process. What the agent can do is known once it has started: until then its methods are absent. */
export function createAcpBackend(options: AcpBackendOptions): Backend {
  return new AcpBackend(options)
}

class AcpBackend implements Backend {
  readonly name: string
  login?: NonNullable<Backend['login']>
  listModels?: NonNullable<Backend['listModels']>
  setModel?: NonNullable<Backend['setModel']>
  setReasoning?: NonNullable<Backend['setReasoning']>
  listSessions?: NonNullable<Backend['listSessions']>
  openSession?: NonNullable<Backend['openSession']>
  readonly #options: AcpBackendOptions
  readonly #now: () => number
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  readonly #chosen = new Map<string, string | boolean>()
  #run: AcpRun | undefined
  #opening: Promise<void> | undefined
  /** The fresh run that is to take over. */
  #next: AcpRun | undefined
  #judge: Judge | undefined
  #count = 0

  constructor(options: AcpBackendOptions) {
    this.name = options.agent.name
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#offerLogin()
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(session?: OwnSession): Promise<void> {
    this.#opening ??= this.#start(session)
    return this.#opening
  }

  async prompt(prompt: Prompt): Promise<void> {
    if (this.#run) return this.#run.prompt(prompt)
    const at = this.#now()
    this.#emit({ type: 'prompt_sent', at, text: prompt.text, images: [] })
    this.#emit({ type: 'prompt_refused', at, message: `${this.name} is not running` })
  }

  abort(): void {
    this.#run?.abort()
  }

  async replace({ model }: StartOptions, session?: OwnSession): Promise<Reply> {
    const former = this.#run
    if (!former) return this.#notRunning()
    if (this.#next) return { ok: false, message: `${this.name} is already being started` }
    // Its events are held back until it has taken over.
    const untold: AgentEvent[] = []
    let tell = (event: AgentEvent): void => void untold.push(event)
    const next = this.#connect(event => tell(event))
    this.#next = next
    await next.open(session)
    const refused = refusalOf(next, untold) ?? (await modelRefusal(next, model))
    if (refused === null) await former.close()
    else await next.close()
    // Some agents give a session to one process at a time.
    const isRefused = untold.some(event => event.type === 'agent_session_opened' && event.problem !== undefined)
    if (refused === null && session && isRefused) await next.resumeSession(session)
    this.#next = undefined
    if (refused !== null) return { ok: false, message: refused }
    if (next.isRunning) {
      this.#run = next
      this.#opening = Promise.resolve()
    }
    tell = event => this.#emit(event)
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    untold.forEach(tell)
    return { ok: true, value: undefined }
  }

  async clear(): Promise<Reply> {
    return this.#run?.clear() ?? this.#notRunning()
  }

  async resumeSession(session: OwnSession): Promise<Reply> {
    return this.#run?.resumeSession(session) ?? this.#notRunning()
  }

  async setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.#run?.setOption(id, value) ?? this.#notRunning()
  }

  judgeWith(judge: Judge): void {
    this.#judge = judge
  }

  answerPermission(id: string, answer: PermissionAnswer): void {
    this.#run?.answerPermission(id, answer)
  }

  answerQuestion(id: string, values: FormValues | null, how: 'given' | 'declined' | 'cancelled'): void {
    this.#run?.answerQuestion(id, values, how)
  }

  async ping(timeout: number): Promise<boolean> {
    return this.#run?.ping(timeout) ?? false
  }

  async close(): Promise<void> {
    await Promise.all([this.#next?.close(), this.#run?.close()])
  }

  async kill(): Promise<void> {
    await Promise.all([this.#next?.kill(), this.#run?.kill()])
  }

  async #start(session: OwnSession | undefined): Promise<void> {
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    const run = this.#connect(event => this.#emit(event))
    this.#run = run
    await run.open(session)
  }

  #connect(emit: (event: AgentEvent) => void): AcpRun {
    const { agent, connect, folder, version, limits, debug, redact = text => text } = this.#options
    const run: AcpRun = new AcpRun({
      transport: connect(),
      program: agent,
      version,
      limits: { ...ACP_LIMITS, ...limits },
      now: this.#now,
      emit,
      debug: message => debug?.(shortened(redact(message))),
      redact,
      folder,
      newId: kind => `${kind}-${(this.#count += 1)}`,
      judge: () => this.#judge,
      chosen: this.#chosen,
      onGone: () => {
        if (this.#run !== run) return
        this.#run = undefined
        this.#opening = undefined
      },
    })
    return run
  }

  /** Offers what the agent can do, and no more. */
  #offer(): void {
    const run = this.#run
    if (!run) return
    const { can } = run.greeting ?? {}
    this.#set('listSessions', can?.list === true && (async () => this.#run?.listSessions() ?? this.#notRunning()))
    this.#set(
      'openSession',
      (can?.load === true || can?.resume === true) && (async id => this.#run?.openSession(id) ?? this.#notRunning()),
    )
    const hasModels = optionFor(run.options, 'model') !== undefined
    this.#set(
      'listModels',
      hasModels && (async () => (this.#run ? { ok: true, value: this.#run.listModels() } : this.#notRunning())),
    )
    this.#set('setModel', hasModels && (id => this.#setCategory('model', id)))
    this.#set(
      'setReasoning',
      optionFor(run.options, 'reasoning') !== undefined && (level => this.#setCategory('reasoning', level)),
    )
    this.#offerLogin()
  }

  #set<Name extends 'listSessions' | 'openSession' | 'listModels' | 'setModel' | 'setReasoning'>(
    name: Name,
    method: NonNullable<Backend[Name]> | false,
  ): void {
    if (method) Object.assign(this, { [name]: method })
    else delete this[name]
  }

  /** The agent's own way to log in, else that of the table. */
  #offerLogin(): void {
    const { agent, env } = this.#options
    const own = this.#run?.greeting?.login.find(({ command }) => command)?.command
    const known = (this.#run?.greeting?.known ?? agent.known)?.login
    const command = own ?? known
    if (command) this.login = { ...command, env }
  }

  async #setCategory(category: 'model' | 'reasoning', value: string): Promise<Reply> {
    const option = optionFor(this.#run?.options ?? [], category)
    if (!this.#run || !option) return this.#notRunning()
    const off = option.choices.find(choice => OFF.has(choice.value))
    if (category === 'reasoning' && value === '' && !off)
      return { ok: false, message: `${this.name} cannot turn its reasoning off` }
    return this.#run.setOption(option.id, value === '' ? (off?.value ?? '') : value)
  }

  #notRunning(): { ok: false; message: string } {
    return { ok: false, message: `${this.name} is not running` }
  }

  #emit(event: AgentEvent): void {
    if (event.type === 'agent_started' || event.type === 'options_changed') this.#offer()
    for (const listener of this.#listeners) listener(event)
  }
}

/** The words of agents for no reasoning. */
const OFF: ReadonlySet<string> = new Set(['off', 'none', 'disabled'])

/** Why a fresh agent cannot take over; null if it can. */
function refusalOf(run: AcpRun, told: readonly AgentEvent[]): string | null {
  if (run.isRunning) return null
  const end = told.find(event => event.type === 'agent_ended')
  if (end?.type !== 'agent_ended') return `${run.name} did not start`
  return end.hint === '' ? end.reason : `${end.reason}; ${end.hint}`
}

async function modelRefusal(run: AcpRun, model: string | undefined): Promise<string | null> {
  if (!model) return null
  const option = optionFor(run.options, 'model')
  if (!option) return `${run.name} does not let its model be chosen`
  const reply = await run.setOption(option.id, model)
  return reply.ok ? null : reply.message
}

function shortened(message: string): string {
  return message.length > MAX_DEBUG ? `${message.slice(0, MAX_DEBUG)}...` : message
}

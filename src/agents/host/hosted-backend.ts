/** The `Backend` of an agent that the host runs: one run of it at a time, which a fresh one can replace. */
import type { Ability } from '../../agent/abilities.ts'
import type { OwnSession, Prompt, Refused, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { BasicBackend } from './basic-backend.ts'
import { CannotStart, type Driver, type DriverHost } from './driver.ts'
import { HostedRun } from './hosted-run.ts'
import { refuseTask, type OperationTask } from './operation.ts'
import { bufferEvents } from './takeover.ts'

export type HostOptions = {
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives the agent's output that zotui does not understand, shortened, for a log. */
  debug?: (message: string) => void
  /** Removes secrets before a text is shortened: half of a secret could no longer be recognised. */
  redact?: (text: string) => string
}

/** The abilities that every hosted agent has, also before it has started. */
const COMMON: readonly Ability[] = ['clear', 'replace']

/** The events after which an agent may have other abilities. */
const OFFERS: ReadonlySet<AgentEvent['type']> = new Set(['agent_started', 'options_changed', 'login_needed'])

/** Characters of one message for the log. */
const MAX_DEBUG = 500

export abstract class HostedBackend<Agent extends Driver> extends BasicBackend {
  protected readonly now: () => number
  readonly #debug: (message: string) => void
  readonly #redact: (text: string) => string
  readonly #listeners = createListeners<[AgentEvent]>()
  readonly subscribe = this.#listeners.subscribe
  #abilities: ReadonlySet<Ability> | undefined
  #run: HostedRun<Agent> | undefined
  #opening: Promise<void> | undefined
  /** The fresh run that will take over. */
  #next: HostedRun<Agent> | undefined
  #isPreparing = false
  /** How often it was closed or killed. */
  #closings = 0
  #count = 0
  /** See `setFolders`. */
  protected folders: readonly string[] = []

  constructor(name: string, { now = Date.now, debug, redact = text => text }: HostOptions) {
    super(name)
    this.now = now
    this.#redact = redact
    this.#debug = message => {
      const plain = redact(message)
      debug?.(plain.length > MAX_DEBUG ? `${plain.slice(0, MAX_DEBUG)}...` : plain)
    }
  }

  /** What runs here asks the judge, who knows the folders by the event. */
  override async setFolders(folders: readonly string[]): Promise<Reply<string | null>> {
    if (!this.abilities.has('setFolders')) return this.unsupported()
    this.keepFolders(folders)
    return { ok: true, value: null }
  }

  protected keepFolders(folders: readonly string[]): void {
    if (JSON.stringify(folders) === JSON.stringify(this.folders)) return
    this.folders = folders
    this.emit({ type: 'folders_changed', at: this.now(), folders: [...folders] })
  }

  get abilities(): ReadonlySet<Ability> {
    this.#abilities ??= this.#ableNow()
    return this.#abilities
  }

  /** The current run of the agent, if there is one. */
  protected get driver(): Agent | undefined {
    return this.#run?.driver
  }

  /** Resolves when the current run has started or ended. */
  protected get opening(): Promise<void> | undefined {
    return this.#opening
  }

  /** Begins a run; with `options`, one that is to replace the current one. @throws CannotStart if it cannot. */
  protected abstract connect(host: DriverHost, options?: StartOptions): Agent
  /** What the agent can do at this moment, besides what every hosted agent can. Without a run: what is known before it starts. */
  protected abstract able(): Iterable<Ability>

  /** Makes what the next `connect` needs; null if it needs nothing. Rejects with a `CannotStart` if it cannot start. */
  protected prepareRun(): Promise<void> | null {
    return null
  }

  /** What `prepareRun` has made is not needed: it was closed in the meantime. */
  protected discardRun(): void {
    // Most agents need nothing.
  }

  /** The current run has ended. A fresh run that has not taken over must not affect the work of the current one. */
  protected ended(): void {
    // Most agents have nothing that outlives a run.
  }

  /** A fresh run has taken over. */
  protected replaced(_driver: Agent): void {
    // Most agents start with the same options each time.
  }

  open(session?: OwnSession): Promise<void> {
    this.#opening ??= this.#start(session)
    return this.#opening
  }

  prompt(prompt: Prompt): Promise<void> {
    return this.#operate({ type: 'prompt', prompt })
  }

  override async compact(): Promise<void> {
    if (this.abilities.has('compact')) await this.#operate({ type: 'compact' })
  }

  abort(): void {
    this.#run?.abort()
  }

  override async replace(options: StartOptions, session?: OwnSession): Promise<Reply> {
    const former = this.#run
    if (!former) return this.notRunning()
    if (this.#next || this.#isPreparing) return { ok: false, message: `${this.name} is already starting` }
    const buffer = bufferEvents(this.name, event => this.emit(event))
    let next: HostedRun<Agent>
    try {
      const preparing = this.prepareRun()
      if (preparing && !(await this.#prepare(preparing))) return this.notRunning()
      next = this.#connect(buffer.take, options)
    } catch (error) {
      return { ok: false, message: asCannotStart(error).message }
    }
    this.#next = next
    try {
      await next.open(session)
      const refused = buffer.refusal() ?? (await next.driver.takeOver(options))
      if (refused) {
        await next.close()
        return refused
      }
      await former.close()
      // Some agents give a session to one process at a time.
      const isRefused = buffer.events.some(
        event => event.type === 'agent_session_opened' && event.problem !== undefined,
      )
      if (session && isRefused) await next.driver.resumeSession(session)
    } finally {
      this.#next = undefined
    }
    this.replaced(next.driver)
    if (next.isRunning) {
      this.#run = next
      this.#opening = Promise.resolve()
    }
    this.emit({ type: 'agent_starting', at: this.now(), agent: this.name })
    buffer.release()
    // The fresh run may have ended while the former one was closing.
    return buffer.refusal() ?? { ok: true, value: undefined }
  }

  override clear(): Promise<Reply> {
    return this.ask(driver => driver.clear())
  }

  override async resumeSession(session: OwnSession): Promise<Reply> {
    if (!this.abilities.has('resumeSession')) return this.unsupported()
    return this.ask(driver => driver.resumeSession(session))
  }

  override async ping(timeout: number): Promise<boolean> {
    return this.driver?.ping(timeout) ?? false
  }

  async close(): Promise<void> {
    this.#closings += 1
    await Promise.all([this.#next?.close(), this.#run?.close()])
  }

  async kill(): Promise<void> {
    this.#closings += 1
    await Promise.all([this.#next?.kill(), this.#run?.kill()])
  }

  /** Asks the current run. */
  protected async ask<Value>(request: (driver: Agent) => Reply<Value> | Promise<Reply<Value>>): Promise<Reply<Value>> {
    return this.driver ? request(this.driver) : this.notRunning()
  }

  protected notRunning(): Refused {
    return { ok: false, message: `${this.name} is not running` }
  }

  protected emit(event: AgentEvent): void {
    // An agent that has ended can do what it could: it may be started again.
    if (OFFERS.has(event.type) && this.#run) this.#abilities = this.#ableNow()
    this.#listeners.emit(event)
  }

  #ableNow(): ReadonlySet<Ability> {
    return new Set([...COMMON, ...this.able()])
  }

  async #start(session: OwnSession | undefined): Promise<void> {
    this.emit({ type: 'agent_starting', at: this.now(), agent: this.name })
    const notStarted = (why: { expected: boolean; reason: string; hint: string }): void => {
      this.#opening = undefined
      this.emit({ type: 'agent_ended', at: this.now(), code: null, signal: null, ...why })
    }
    try {
      const preparing = this.prepareRun()
      if (preparing && !(await this.#prepare(preparing)))
        return notStarted({ expected: true, reason: `${this.name} ended`, hint: '' })
      this.#run = this.#connect(event => this.emit(event))
    } catch (error) {
      const { message: reason, hint } = asCannotStart(error)
      return notStarted({ expected: false, reason, hint })
    }
    await this.#run.open(session)
  }

  /** False if it was closed in the meantime. */
  async #prepare(preparing: Promise<void>): Promise<boolean> {
    const closings = this.#closings
    this.#isPreparing = true
    try {
      await preparing
    } finally {
      this.#isPreparing = false
    }
    const isWanted = this.#closings === closings
    if (!isWanted) this.discardRun()
    return isWanted
  }

  #connect(emit: (event: AgentEvent) => void, options?: StartOptions): HostedRun<Agent> {
    const run = new HostedRun<Agent>(
      {
        name: this.name,
        now: this.now,
        emit,
        debug: this.#debug,
        redact: this.#redact,
        newId: kind => `${kind}-${(this.#count += 1)}`,
        onGone: () => {
          if (this.#run !== run) return
          this.ended()
          this.#run = undefined
          this.#opening = undefined
        },
      },
      host => this.connect(host, options),
    )
    return run
  }

  async #operate(task: OperationTask): Promise<void> {
    if (this.#run) await this.#run.operate(task)
    else refuseTask(task, this.notRunning().message, this.now(), event => this.emit(event))
  }
}

function asCannotStart(error: unknown): CannotStart {
  if (error instanceof CannotStart) return error
  throw error
}

/** A backend that owns one run of its agent, and can replace it with a fresh one. */
import type { Ability } from '../../agent/abilities.ts'
import type { OwnSession, Prompt, Refused, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { promptSent } from '../../agent/prompt-sent.ts'
import { BasicBackend } from './basic-backend.ts'
import { holdEvents } from './takeover.ts'

/** A run of an agent, from the start of its process to its end. */
export type HostedRun = {
  readonly name: string
  readonly isRunning: boolean
  /** Starts in this session, or in a new one. Resolves after `agent_started` or `agent_ended`. */
  open(session?: OwnSession): Promise<void>
  /** Resolves when the turn is over and all its events are emitted. */
  prompt(prompt: Prompt): Promise<void>
  abort(): void
  /** Begins a new session of the agent. */
  clear(): Promise<Reply>
  /** Continues a stored session, or starts a new one. */
  resumeSession(session: OwnSession): Promise<Reply>
  /** Switches to another model. */
  useModel(model: string): Promise<Reply>
  ping(timeout: number): Promise<boolean>
  close(): Promise<void>
  kill(): Promise<void>
}

/** The options of every run. */
export type HostedRunOptions = {
  name: string
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  redact: (text: string) => string
  /** Makes ids that are unique among all runs. */
  newId: () => string
  /** Called before `agent_ended` is emitted. */
  onGone: () => void
}

/** Makes a run that emits its events with `emit`, and calls `onGone` before `agent_ended`. */
export type ConnectRun<Run> = (emit: (event: AgentEvent) => void, onGone: () => void) => Run

/** The abilities that every hosted agent has, also before it has started. */
const COMMON: readonly Ability[] = ['clear', 'replace', 'resumeSession']

/** The events after which an agent may have other abilities. */
const OFFERS: ReadonlySet<AgentEvent['type']> = new Set(['agent_started', 'options_changed', 'login_needed'])

/** Characters of one message for the log. */
const MAX_DEBUG = 500

export abstract class HostingBackend<Run extends HostedRun> extends BasicBackend {
  protected readonly now: () => number
  readonly #listeners = createListeners<[AgentEvent]>()
  readonly subscribe = this.#listeners.subscribe
  #abilities: ReadonlySet<Ability> | undefined
  #run: Run | undefined
  #opening: Promise<void> | undefined
  /** The fresh run that will take over. */
  #next: Run | undefined

  constructor(name: string, now: () => number = Date.now) {
    super(name)
    this.now = now
  }

  get abilities(): ReadonlySet<Ability> {
    this.#abilities ??= this.#ableNow()
    return this.#abilities
  }

  /** The current run, if there is one. */
  protected get run(): Run | undefined {
    return this.#run
  }

  protected abstract connect(...args: Parameters<ConnectRun<Run>>): Run
  /** What the agent can do at this moment, besides what every hosted agent can. Without a run: what is known before it starts. */
  protected abstract able(): Iterable<Ability>

  /** The current run has ended. A fresh run that has not taken over must not affect the work of the current one. */
  protected ended(): void {
    // Most agents have no optional abilities.
  }

  open(session?: OwnSession): Promise<void> {
    this.#opening ??= this.#start(session)
    return this.#opening
  }

  async prompt(prompt: Prompt): Promise<void> {
    if (this.#run) return this.#run.prompt(prompt)
    const at = this.now()
    this.emit(promptSent(prompt, at))
    this.emit({ type: 'prompt_refused', at, message: `${this.name} is not running` })
  }

  abort(): void {
    this.#run?.abort()
  }

  override async replace({ model }: StartOptions, session?: OwnSession): Promise<Reply> {
    const former = this.#run
    if (!former) return this.notRunning()
    if (this.#next) return { ok: false, message: `${this.name} is already starting` }
    const held = holdEvents(this.name, event => this.emit(event))
    const next = this.#connect(held.take)
    this.#next = next
    try {
      await next.open(session)
      const refused = held.refusal() ?? (await modelRefusal(next, model))
      if (refused) {
        await next.close()
        return refused
      }
      await former.close()
      // Some agents give a session to one process at a time.
      const isRefused = held.events.some(event => event.type === 'agent_session_opened' && event.problem !== undefined)
      if (session && isRefused) await next.resumeSession(session)
    } finally {
      this.#next = undefined
    }
    if (next.isRunning) {
      this.#run = next
      this.#opening = Promise.resolve()
    }
    this.emit({ type: 'agent_starting', at: this.now(), agent: this.name })
    held.release()
    // The fresh run may have ended while the former one was closing.
    return held.refusal() ?? { ok: true, value: undefined }
  }

  override async clear(): Promise<Reply> {
    return this.#run?.clear() ?? this.notRunning()
  }

  override async resumeSession(session: OwnSession): Promise<Reply> {
    return this.#run?.resumeSession(session) ?? this.notRunning()
  }

  override async ping(timeout: number): Promise<boolean> {
    return this.#run?.ping(timeout) ?? false
  }

  async close(): Promise<void> {
    await Promise.all([this.#next?.close(), this.#run?.close()])
  }

  async kill(): Promise<void> {
    await Promise.all([this.#next?.kill(), this.#run?.kill()])
  }

  protected notRunning(): Refused {
    return { ok: false, message: `${this.name} is not running` }
  }

  protected emit(event: AgentEvent): void {
    // An agent that has ended can do what it could: it may be started again.
    if (OFFERS.has(event.type) && this.#run) this.#abilities = this.#ableNow()
    this.#listeners.tell(event)
  }

  #ableNow(): ReadonlySet<Ability> {
    return new Set([...COMMON, ...this.able()])
  }

  async #start(session: OwnSession | undefined): Promise<void> {
    this.emit({ type: 'agent_starting', at: this.now(), agent: this.name })
    const run = this.#connect(event => this.emit(event))
    this.#run = run
    await run.open(session)
  }

  #connect(emit: (event: AgentEvent) => void): Run {
    const run: Run = this.connect(emit, () => {
      if (this.#run !== run) return
      this.ended()
      this.#run = undefined
      this.#opening = undefined
    })
    return run
  }
}

async function modelRefusal(run: HostedRun, model: string | undefined): Promise<Refused | null> {
  const reply = model ? await run.useModel(model) : null
  return reply && !reply.ok ? reply : null
}

/** Passes on messages for a log, without secrets and shortened. */
export function createDebug({
  debug,
  redact = text => text,
}: {
  debug?: ((message: string) => void) | undefined
  redact?: ((text: string) => string) | undefined
}): (message: string) => void {
  return message => {
    const plain = redact(message)
    debug?.(plain.length > MAX_DEBUG ? `${plain.slice(0, MAX_DEBUG)}...` : plain)
  }
}

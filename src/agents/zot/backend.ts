/** zot behind the `Backend` contract. */
import type { Backend, Model, Prompt, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { StartupContext } from '../../agent/startup-context.ts'
import type { Transport } from '../transport/transport.ts'
import { describeModel } from './handshake.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ZotLimits } from './limits.ts'
import { refusedWithout } from './operation.ts'
import type { Task } from './operation.ts'
import { judgedContext } from './startup/ability.ts'
import type { StartupPlaces } from './startup/places.ts'
import { readSkillText, type Found } from './startup/context.ts'
import { NOT_RUNNING, ZotRun } from './run.ts'
import type { RunChange } from './run.ts'
import { startWarnings } from './warnings.ts'

export type ZotBackendOptions = {
  /** Starts a zot, or what speaks like one; called for each `open`, with what it was asked to be started with by then. */
  connect: (start: StartOptions) => Transport
  /** The name to show; `zot` where left out. */
  name?: string
  /** What zot is started with at first; said where it takes something else. */
  start?: StartOptions
  /** Lists the models of every provider. */
  listEveryModel?: () => Promise<Reply<readonly Model[]>>
  login?: Backend['login']
  /** Looks for what zot reads by itself. */
  lookForReading?: () => Promise<{ found: Found; flags: StartupPlaces['flags'] }>
  /** Said in the handshake. zot must have it in its environment: see `launchZot`. */
  token?: string | undefined
  /** What `zot --version` said, for explaining why a start failed. */
  version?: string | undefined
  /** What differs from the defaults. */
  limits?: Partial<ZotLimits>
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives, for a log, what zot wrote that means nothing to us; shortened. */
  debug?: (message: string) => void
  /** Takes out what must not be told. Needed here for what is shortened only: half of a secret is not known any more. */
  redact?: (text: string) => string
}

const MAX_DEBUG = 500
const NOTHING: Required<StartOptions> = { provider: '', model: '', baseUrl: '', apiKey: '', reasoning: '' }

/** Makes the backend; `open` starts the process. */
export function createZotBackend(options: ZotBackendOptions): Backend {
  return new ZotBackend(options)
}

class ZotBackend implements Backend {
  readonly name: string
  readonly listEveryModel?: () => Promise<Reply<readonly Model[]>>
  readonly login?: NonNullable<Backend['login']>
  readonly reading?: NonNullable<Backend['reading']>
  readonly skillText?: NonNullable<Backend['skillText']>
  readonly #options: ZotBackendOptions
  readonly #now: () => number
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  #startOptions: StartOptions
  #run: ZotRun | undefined
  #opening: Promise<void> | undefined
  /** The one that is to take over. */
  #next: ZotRun | undefined

  constructor(options: ZotBackendOptions) {
    this.name = options.name ?? 'zot'
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#startOptions = options.start ?? {}
    if (options.listEveryModel) this.listEveryModel = options.listEveryModel
    if (options.login) this.login = options.login
    const { lookForReading } = options
    if (lookForReading) {
      this.reading = when => this.#reading(lookForReading, when)
      this.skillText = readSkillText
    }
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(): Promise<void> {
    this.#opening ??= this.#start()
    return this.#opening
  }

  async prompt(prompt: Prompt): Promise<void> {
    await this.#operate({ type: 'prompt', prompt })
  }

  async compact(): Promise<void> {
    await this.#operate({ type: 'compact' })
  }

  startWith(options: StartOptions): StartOptions {
    const former = { ...NOTHING, ...this.#startOptions }
    this.#startOptions = { ...this.#startOptions, ...options }
    return former
  }

  async replace(options: StartOptions): Promise<Reply> {
    const former = this.#run
    if (!former) return { ok: false, message: NOT_RUNNING }
    if (this.#next) return { ok: false, message: 'zot is being started already' }
    const start = { ...this.#startOptions, ...options }
    // Until it has taken over nobody is told of it.
    const untold: AgentEvent[] = []
    let tell = (event: AgentEvent): void => void untold.push(event)
    this.#next = this.#connect(start, event => tell(event))
    const next = this.#next
    await next.open()
    const refused = refusalOf(next, options, untold)
    if (refused === null) await former.close()
    else await next.close()
    this.#next = undefined
    if (refused !== null) return { ok: false, message: refused }
    this.#startOptions = start
    if (next.isRunning) this.#run = next
    if (next.isRunning) this.#opening = Promise.resolve()
    tell = event => this.#emit(event)
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    untold.forEach(tell)
    return { ok: true, value: undefined }
  }

  abort(): void {
    this.#run?.abort()
  }

  clear(): Promise<Reply> {
    return this.#change<undefined>({
      request: client => client.request({ type: 'clear' }),
      done: () => ({ type: 'conversation_cleared', at: this.#now() }),
    })
  }

  setModel(id: string): Promise<Reply> {
    return this.#change<{ model: string }>({
      request: client => client.request({ type: 'set_model', model: id }),
      done: ({ model }, greeting) => ({
        type: 'model_changed',
        at: this.#now(),
        ...describeModel(greeting, model || id),
      }),
    })
  }

  async setReasoning(level: string): Promise<Reply> {
    if (this.#run?.greeting?.reasoning === null) {
      return { ok: false, message: 'this zot cannot change its reasoning level: start it with --reasoning' }
    }
    return this.#change<{ reasoning: string }>({
      request: client => client.request({ type: 'set_reasoning', reasoning: level }),
      done: ({ reasoning }) => ({ type: 'reasoning_changed', at: this.#now(), reasoning }),
    })
  }

  async listModels(): Promise<Reply<readonly Model[]>> {
    return this.#run ? this.#run.listModels() : { ok: false, message: NOT_RUNNING }
  }

  async ping(timeout: number): Promise<boolean> {
    return this.#run ? this.#run.ping(timeout) : false
  }

  async close(): Promise<void> {
    await Promise.all([this.#next?.close(), this.#run?.close()])
  }

  async kill(): Promise<void> {
    await Promise.all([this.#next?.kill(), this.#run?.kill()])
  }

  /** It is looked for while zot starts; what is read of it is known when it has started. */
  async #reading(
    look: NonNullable<ZotBackendOptions['lookForReading']>,
    when: 'started' | 'at once' = 'started',
  ): Promise<StartupContext> {
    const [{ found, flags }] = await Promise.all([look(), when === 'started' ? this.#opening : undefined])
    return judgedContext(found, flags, this.#run?.greeting)
  }

  async #start(): Promise<void> {
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    this.#run = this.#connect(this.#startOptions, event => this.#emit(event))
    await this.#run.open()
  }

  #connect(start: StartOptions, emit: (event: AgentEvent) => void): ZotRun {
    const { name, token, version, limits, debug, redact = text => text } = this.#options
    const run = new ZotRun({
      transport: this.#options.connect(start),
      name: name ?? 'zot',
      asked: start,
      token,
      version,
      limits: { ...DEFAULT_LIMITS, ...limits },
      now: this.#now,
      emit,
      debug: message => debug?.(shortened(redact(message))),
      redact,
      onGone: () => {
        if (this.#run !== run) return
        this.#run = undefined
        this.#opening = undefined
      },
    })
    return run
  }

  async #operate(task: Task): Promise<void> {
    if (this.#run) await this.#run.operate(task)
    else for (const event of refusedWithout(task, NOT_RUNNING, this.#now())) this.#emit(event)
  }

  async #change<Data>(change: RunChange<Data>): Promise<Reply> {
    return this.#run ? this.#run.change(change) : { ok: false, message: NOT_RUNNING }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** Why a fresh zot cannot take over; null where it can. One that answers as another than was asked for is not what was meant. */
function refusalOf(run: ZotRun, asked: StartOptions, told: readonly AgentEvent[]): string | null {
  const { greeting } = run
  if (greeting && run.isRunning) return startWarnings(asked, greeting, []).join('; ') || null
  const end = told.find(event => event.type === 'agent_ended')
  if (end?.type !== 'agent_ended') return NOT_RUNNING
  return end.hint === '' ? end.reason : `${end.reason}; ${end.hint}`
}

function shortened(message: string): string {
  return message.length > MAX_DEBUG ? `${message.slice(0, MAX_DEBUG)}...` : message
}

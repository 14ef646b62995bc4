/** zot behind the `Backend` contract. */
import type { Backend, Model, Prompt, Reply, StartOptions } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { Reading } from '../agent/reading.ts'
import type { Transport } from '../wire/transport.ts'
import { describeModel } from './handshake.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ZotLimits } from './limits.ts'
import { refusedWithout } from './operation.ts'
import type { Task } from './operation.ts'
import { judgedReading } from './reading-ability.ts'
import type { ReadingPlaces } from './reading-places.ts'
import { readSkillText, type Found } from './reading.ts'
import { NOT_RUNNING, Run } from './run.ts'
import type { Change } from './run.ts'

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
  lookForReading?: () => Promise<{ found: Found; flags: ReadingPlaces['flags'] }>
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
  #run: Run | undefined
  #opening: Promise<void> | undefined

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
    await this.#run?.close()
  }

  async kill(): Promise<void> {
    await this.#run?.kill()
  }

  /** It is looked for while zot starts; what is read of it is known when it has started. */
  async #reading(
    look: NonNullable<ZotBackendOptions['lookForReading']>,
    when: 'started' | 'at once' = 'started',
  ): Promise<Reading> {
    const [{ found, flags }] = await Promise.all([look(), when === 'started' ? this.#opening : undefined])
    return judgedReading(found, flags, this.#run?.greeting)
  }

  async #start(): Promise<void> {
    const { name, token, version, limits, debug, redact = text => text } = this.#options
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    const run = new Run({
      transport: this.#options.connect(this.#startOptions),
      name: name ?? 'zot',
      asked: this.#startOptions,
      token,
      version,
      limits: { ...DEFAULT_LIMITS, ...limits },
      now: this.#now,
      emit: event => this.#emit(event),
      debug: message => debug?.(shortened(redact(message))),
      redact,
      onGone: () => {
        this.#run = undefined
        this.#opening = undefined
      },
    })
    this.#run = run
    await run.open()
  }

  async #operate(task: Task): Promise<void> {
    if (this.#run) await this.#run.operate(task)
    else for (const event of refusedWithout(task, NOT_RUNNING, this.#now())) this.#emit(event)
  }

  async #change<Data>(change: Change<Data>): Promise<Reply> {
    return this.#run ? this.#run.change(change) : { ok: false, message: NOT_RUNNING }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

function shortened(message: string): string {
  return message.length > MAX_DEBUG ? `${message.slice(0, MAX_DEBUG)}...` : message
}

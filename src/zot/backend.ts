/** zot behind the `Backend` contract. */
import type { Backend, Model, Prompt, Reply } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { Transport } from '../wire/transport.ts'
import { describeModel } from './handshake.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ZotLimits } from './limits.ts'
import { refusedWithout } from './operation.ts'
import type { OperationCommand } from './operation.ts'
import { NOT_RUNNING, Run } from './run.ts'
import type { Change } from './run.ts'
import type { Asked } from './warnings.ts'

export type ZotBackendOptions = {
  /** Starts a zot, or what speaks like one; called for each `open`. */
  connect: () => Transport
  /** The name to show; `zot` where left out. */
  name?: string
  /** What zot is started with, to warn where it takes something else. */
  asked?: Asked
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
}

const MAX_DEBUG = 500

/** Makes the backend; `open` starts the process. */
export function createZotBackend(options: ZotBackendOptions): Backend {
  return new ZotBackend(options)
}

class ZotBackend implements Backend {
  readonly name: string
  readonly #options: ZotBackendOptions
  readonly #now: () => number
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  #run: Run | undefined
  #opening: Promise<void> | undefined

  constructor(options: ZotBackendOptions) {
    this.name = options.name ?? 'zot'
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(): Promise<void> {
    this.#opening ??= this.#start()
    return this.#opening
  }

  async prompt({ text, images }: Prompt): Promise<void> {
    const attached = images.map(image => ({ mime_type: image.mimeType, data: image.data }))
    await this.#operate({ type: 'prompt', message: text, ...(attached.length > 0 ? { images: attached } : {}) })
  }

  async compact(): Promise<void> {
    await this.#operate({ type: 'compact' })
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
    if (this.#run?.reasoning === null) {
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

  async #start(): Promise<void> {
    const { name, asked = {}, token, version, limits, debug } = this.#options
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    const run = new Run({
      transport: this.#options.connect(),
      name: name ?? 'zot',
      asked,
      token,
      version,
      limits: { ...DEFAULT_LIMITS, ...limits },
      now: this.#now,
      emit: event => this.#emit(event),
      debug: message => debug?.(message.length > MAX_DEBUG ? `${message.slice(0, MAX_DEBUG)}…` : message),
      onGone: () => {
        this.#run = undefined
        this.#opening = undefined
      },
    })
    this.#run = run
    await run.open()
  }

  async #operate(command: OperationCommand): Promise<void> {
    if (this.#run) await this.#run.operate(command)
    else for (const event of refusedWithout(command, NOT_RUNNING, this.#now())) this.#emit(event)
  }

  async #change<Data>(change: Change<Data>): Promise<Reply> {
    return this.#run ? this.#run.change(change) : { ok: false, message: NOT_RUNNING }
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

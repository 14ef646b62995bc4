/** An agent in memory that does what a test says, and notes what it was asked for. */
import { abilities, type Ability } from '../../src/agent/abilities.ts'
import type { Model, Prompt, Reply, StartOptions } from '../../src/agent/backend.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { BasicBackend } from '../../src/agents/host/basic-backend.ts'
import { started, type Told } from '../conversation/events.ts'

const fell: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'no credential', hint: '', expected: false }

const OWN: readonly Ability[] = [
  'compact',
  'clear',
  'listModels',
  'listEveryModel',
  'startWith',
  'replace',
  'setModel',
  'setReasoning',
]

export class FakeBackend extends BasicBackend {
  readonly abilities = new Set(OWN)
  /** Every call, as it came. */
  readonly asked: string[] = []
  prompts: Prompt[] = []
  /** The outcome of the next `open`. */
  startsWell = true
  /** `open` fails while it is to be started with this one. */
  refusesProvider: string | null = null
  startsAs: { provider?: string; model?: string; server?: string } = {}
  reply: Reply = { ok: true, value: undefined }
  models: Reply<readonly Model[]> = { ok: true, value: [] }
  everyModel: Reply<readonly Model[]> = { ok: true, value: [] }
  /** The options with which the next `open` starts it. */
  start: StartOptions = {}
  alive = true
  #listener: (event: AgentEvent) => void = () => undefined
  #end: () => void = () => undefined
  #opened: () => void = () => undefined
  readonly #now: () => number
  /** Set: `open` and `close` wait until `letThrough`. */
  waits = false

  constructor(now: () => number) {
    super('zot')
    this.#now = now
  }

  /** Gives it these fields and methods, and the abilities of their names. */
  with<Parts extends object>(parts: Parts): this & Parts {
    for (const ability of abilities) if (ability in parts) this.abilities.add(ability)
    return Object.assign(this, parts)
  }

  /** Takes these abilities from it. */
  without(...lacking: readonly Ability[]): this {
    for (const ability of lacking) this.abilities.delete(ability)
    return this
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listener = listener
    return () => undefined
  }

  tell(...events: readonly Told[]): void {
    for (const event of events) this.#listener({ ...event, at: this.#now() })
  }

  /** Ends the operation that continues with these events. */
  end(...events: readonly Told[]): void {
    this.tell(...events)
    this.#end()
    this.#end = () => undefined
  }

  letThrough(): void {
    this.waits = false
    this.#opened()
  }

  async open(): Promise<void> {
    this.asked.push('open')
    this.tell({ type: 'agent_starting', agent: this.name })
    await this.#pause()
    const starts = this.startsWell && (this.refusesProvider === null || this.start.provider !== this.refusesProvider)
    this.tell(starts ? { ...started, ...this.startsAs } : fell)
  }

  prompt(prompt: Prompt): Promise<void> {
    this.asked.push(`prompt ${prompt.text}`)
    this.prompts.push(prompt)
    const { text, from, before, memory } = prompt
    const of = from === undefined ? {} : { from }
    const besides = {
      ...of,
      ...(before?.length ? { before: [...before] } : {}),
      ...(memory ? { memory: memory.facts } : {}),
    }
    this.tell({ type: 'prompt_sent', text, images: [], ...besides })
    return this.#operation()
  }

  override compact(): Promise<void> {
    this.asked.push('compact')
    this.tell({ type: 'compaction_started' })
    return this.#operation()
  }

  abort(): void {
    this.asked.push('abort')
    this.tell({ type: 'abort_requested' })
  }

  async close(): Promise<void> {
    this.asked.push('close')
    await this.#pause()
    this.end({ type: 'agent_ended', code: 0, signal: null, reason: '', hint: '', expected: true })
  }

  async kill(): Promise<void> {
    this.asked.push('kill')
    await this.#pause()
    this.end({ type: 'agent_ended', code: null, signal: 'SIGKILL', reason: '', hint: '', expected: true })
  }

  override ping(): Promise<boolean> {
    this.asked.push('ping')
    return Promise.resolve(this.alive)
  }

  override clear(): Promise<Reply> {
    this.asked.push('clear')
    if (this.reply.ok) this.tell({ type: 'conversation_cleared' })
    return Promise.resolve(this.reply)
  }

  override listModels(): Promise<Reply<readonly Model[]>> {
    this.asked.push('models')
    return Promise.resolve(this.models)
  }

  override listEveryModel(): Promise<Reply<readonly Model[]>> {
    return Promise.resolve(this.everyModel)
  }

  override startWith(options: StartOptions): StartOptions {
    const former = this.start
    this.start = { ...former, ...options }
    return former
  }

  override async replace(options: StartOptions): Promise<Reply> {
    this.asked.push('replace')
    await this.#pause()
    const start = { ...this.start, ...options }
    if (!this.startsWell || (this.refusesProvider !== null && start.provider === this.refusesProvider))
      return { ok: false, message: 'no credential' }
    this.start = start
    this.end({ type: 'agent_ended', code: 0, signal: null, reason: '', hint: '', expected: true })
    this.tell({ type: 'agent_starting', agent: this.name }, { ...started, ...this.startsAs })
    return { ok: true, value: undefined }
  }

  override setModel(id: string): Promise<Reply> {
    this.asked.push(`model ${id}`)
    if (this.reply.ok)
      this.tell({ type: 'model_changed', provider: 'anthropic', model: id, contextWindow: null, reasoningLevels: [] })
    return Promise.resolve(this.reply)
  }

  override setReasoning(level: string): Promise<Reply> {
    this.asked.push(`reasoning ${level || 'off'}`)
    if (this.reply.ok) this.tell({ type: 'reasoning_changed', reasoning: level })
    return Promise.resolve(this.reply)
  }

  #operation(): Promise<void> {
    return new Promise(resolve => {
      this.#end = resolve
    })
  }

  async #pause(): Promise<void> {
    if (!this.waits) return
    await new Promise<void>(resolve => {
      this.#opened = resolve
    })
  }
}

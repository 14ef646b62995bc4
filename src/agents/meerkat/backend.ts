/** The `Backend` for Meerkat's `rkat-rpc`. */
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, Model, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import { createDebug, HostingBackend } from '../host/hosting.ts'
import { MEERKAT_LIMITS } from './limits.ts'
import type { CatalogModel, ModelChoice } from './models.ts'
import type { MeerkatBackendOptions } from './options.ts'
import { MeerkatRun } from './run.ts'

const NAME = 'meerkat'

/**
 * Creates the backend; `open` starts the process. Without a gate the agent has no tools, and nothing is asked.
 */
export function createMeerkatBackend(options: MeerkatBackendOptions): Backend {
  return new MeerkatBackend(options)
}

class MeerkatBackend extends HostingBackend<MeerkatRun> {
  readonly #options: MeerkatBackendOptions
  readonly #chosen: ModelChoice
  #count = 0

  constructor(options: MeerkatBackendOptions) {
    super(NAME, options.now)
    this.#options = options
    const { provider = '', model = '', reasoning = '', gate } = options
    this.#chosen = { provider, model, reasoning }
    gate?.attach(event => this.emit(event))
  }

  protected connect(emit: (event: AgentEvent) => void, onGone: () => void): MeerkatRun {
    const { connect, flags = {}, gate = null, archivesCleared = false, limits } = this.#options
    const { price = () => null, redact = text => text } = this.#options
    return new MeerkatRun({
      transport: connect(),
      name: NAME,
      limits: { ...MEERKAT_LIMITS, ...limits },
      flags,
      gate,
      archivesCleared,
      price,
      chosen: this.#chosen,
      now: this.now,
      emit,
      debug: createDebug(this.#options),
      redact,
      newId: () => `call-${(this.#count += 1)}`,
      onGone,
    })
  }

  protected override ended(): void {
    void this.#options.gate?.close()
  }

  protected *able(): Iterable<Ability> {
    const { gate } = this.#options
    yield 'cutSessions'
    if (gate) yield* ['judgeWith', 'setPermissionMode', 'listRunning'] as const
    if (!this.run) return
    yield* ['listSessions', 'openSession', 'listModels', 'listEveryModel', 'setModel', 'setReasoning'] as const
  }

  override judgeWith(judge: Judge): void {
    this.#options.gate?.judgeWith(judge)
  }

  override answerPermission(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): void {
    const isKnown = this.#options.gate?.answerPermission(id, answer, by) ?? false
    if (isKnown && answer.answer === 'stop') this.abort()
  }

  override setPermissionMode(mode: PermissionMode): void {
    this.#options.gate?.setPermissionMode(mode)
  }

  override async listRunning(): Promise<readonly RunningCommand[]> {
    return (await this.#options.gate?.listRunning()) ?? []
  }

  override async endRunning(pid: number): Promise<Reply> {
    return (await this.#options.gate?.endRunning(pid)) ?? this.notRunning()
  }

  override async listSessions(): ReturnType<Backend['listSessions']> {
    return this.run?.listSessions() ?? this.notRunning()
  }

  override async openSession(id: string): Promise<Reply> {
    return this.run?.openSession(id) ?? this.notRunning()
  }

  override async listModels(): Promise<Reply<readonly Model[]>> {
    return this.#models(({ provider }) => provider === this.#chosen.provider)
  }

  override async listEveryModel(): Promise<Reply<readonly Model[]>> {
    return this.#models(() => true)
  }

  override async setModel(id: string): Promise<Reply> {
    return this.run?.useModel(id) ?? this.notRunning()
  }

  override async setReasoning(level: string): Promise<Reply> {
    return this.run?.choosing.setReasoning(level) ?? this.notRunning()
  }

  #models(isListed: (model: CatalogModel) => boolean): Reply<readonly Model[]> {
    if (!this.run) return this.notRunning()
    const listed = this.run.choosing.models.filter(model => this.#chosen.provider === '' || isListed(model))
    return { ok: true, value: listed.map(({ levels: _levels, takesImages: _images, ...model }) => model) }
  }
}

/** The `Backend` for Meerkat's `rkat-rpc`. */
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, Model, Reply, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import { cameBack, type DriverHost } from '../host/driver.ts'
import { HostedBackend } from '../host/hosted-backend.ts'
import { MEERKAT_LIMITS } from './limits.ts'
import type { CatalogModel, ModelChoice } from './models.ts'
import type { MeerkatBackendOptions } from './options.ts'
import { MeerkatDriver } from './driver.ts'

const NAME = 'meerkat'

/**
 * Creates the backend; `open` starts the process. Without a tool host the agent has no tools, and nothing is asked.
 */
export function createMeerkatBackend(options: MeerkatBackendOptions): Backend {
  return new MeerkatBackend(options)
}

class MeerkatBackend extends HostedBackend<MeerkatDriver> {
  readonly #options: MeerkatBackendOptions
  readonly #chosen: ModelChoice
  #hasRun = false

  constructor(options: MeerkatBackendOptions) {
    super(NAME, options)
    this.#options = options
    const { provider = '', model = '', reasoning = '', toolHost } = options
    this.#chosen = { provider, model, reasoning }
    toolHost?.attach(event => this.emit(event))
  }

  protected override prepareRun(): Promise<void> | null {
    const { comeBack } = this.#options
    const isFirst = !this.#hasRun
    this.#hasRun = true
    return isFirst || !comeBack ? null : cameBack(comeBack)
  }

  protected connect(host: DriverHost): MeerkatDriver {
    const { connect, flags = {}, toolHost = null, archivesCleared = false, limits, price = () => null } = this.#options
    return new MeerkatDriver(host, {
      transport: connect(),
      limits: { ...MEERKAT_LIMITS, ...limits },
      flags,
      toolHost,
      archivesCleared,
      price,
      chosen: this.#chosen,
    })
  }

  protected override ended(): void {
    void this.#options.toolHost?.close()
  }

  protected *able(): Iterable<Ability> {
    const { toolHost } = this.#options
    yield* ['resumeSession', 'cutSessions'] as const
    if (toolHost) yield* ['judgeWith', 'setPermissionMode', 'listRunning', 'setFolders', 'steer'] as const
    if (toolHost?.hasSandbox) yield 'sandbox'
    if (!this.driver) return
    yield* ['listSessions', 'openSession', 'listModels', 'listEveryModel', 'setModel', 'setReasoning'] as const
  }

  override judgeWith(judge: Judge): void {
    this.#options.toolHost?.judgeWith(judge)
  }

  override answerPermission(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): void {
    const isKnown = this.#options.toolHost?.answerPermission(id, answer, by) ?? false
    if (isKnown && answer.answer === 'stop') this.abort()
  }

  override setPermissionMode(mode: PermissionMode): void {
    this.#options.toolHost?.setPermissionMode(mode)
  }

  override async listRunning(): Promise<readonly RunningCommand[]> {
    return (await this.#options.toolHost?.listRunning()) ?? []
  }

  override async endRunning(pid: number): Promise<Reply> {
    return (await this.#options.toolHost?.endRunning(pid)) ?? this.notRunning()
  }

  override async steer(steer: Steer): Promise<SteerOutcome> {
    return this.#options.toolHost?.steer(steer) ?? super.steer(steer)
  }

  override withdrawSteer(id: string): void {
    this.#options.toolHost?.withdrawSteer(id)
  }

  override listSessions(): ReturnType<Backend['listSessions']> {
    return this.ask(({ sessions }) => sessions.list())
  }

  override openSession(id: string): Promise<Reply> {
    return this.ask(driver => driver.openSession(id))
  }

  override listModels(): Promise<Reply<readonly Model[]>> {
    return this.#models(({ provider }) => provider === this.#chosen.provider)
  }

  override listEveryModel(): Promise<Reply<readonly Model[]>> {
    return this.#models(() => true)
  }

  override setModel(id: string): Promise<Reply> {
    return this.ask(({ choosing }) => choosing.useModel(id))
  }

  override setReasoning(level: string): Promise<Reply> {
    return this.ask(({ choosing }) => choosing.setReasoning(level))
  }

  #models(isListed: (model: CatalogModel) => boolean): Promise<Reply<readonly Model[]>> {
    return this.ask(({ choosing }) => {
      const listed = choosing.models.filter(model => this.#chosen.provider === '' || isListed(model))
      return { ok: true, value: listed.map(({ levels: _levels, takesImages: _images, ...model }) => model) }
    })
  }
}

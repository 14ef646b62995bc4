/** The `Backend` for Meerkat's `rkat-rpc`. */
import type { Backend, Model, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionAnswer, PermissionMode, RunningCommand } from '../../agent/permission.ts'
import type { CallGate } from '../gate/call-gate.ts'
import { createDebug, HostingBackend } from '../rpc/hosting.ts'
import { MEERKAT_LIMITS } from './limits.ts'
import type { CatalogModel, ModelChoice } from './models.ts'
import type { MeerkatBackendOptions } from './options.ts'
import { MeerkatRun } from './run.ts'

const NAME = 'meerkat'

/**
 * Creates the backend; `open` starts the process. The agent's optional methods are absent until it has started and reported its
 * abilities.
 */
export function createMeerkatBackend(options: MeerkatBackendOptions): Backend {
  return new MeerkatBackend(options)
}

class MeerkatBackend extends HostingBackend<MeerkatRun> implements Backend {
  judgeWith?: NonNullable<Backend['judgeWith']>
  answerPermission?: NonNullable<Backend['answerPermission']>
  setPermissionMode?: NonNullable<Backend['setPermissionMode']>
  listRunning?: NonNullable<Backend['listRunning']>
  endRunning?: NonNullable<Backend['endRunning']>
  readonly cutsSessions = true
  readonly #options: MeerkatBackendOptions
  readonly #chosen: ModelChoice
  #count = 0

  constructor(options: MeerkatBackendOptions) {
    super(NAME, options.now)
    this.#options = options
    const { provider = '', model = '', reasoning = '', gate } = options
    this.#chosen = { provider, model, reasoning }
    if (gate) this.#guard(gate)
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
    void this.#options.gate?.close?.()
  }

  protected offer(): void {
    this.setAbility('listSessions', async () => this.run?.listSessions() ?? this.notRunning())
    this.setAbility('openSession', async id => this.run?.openSession(id) ?? this.notRunning())
    this.setAbility('listModels', async () => this.#models(({ provider }) => provider === this.#chosen.provider))
    this.setAbility('listEveryModel', async () => this.#models(() => true))
    this.setAbility('setModel', async id => this.run?.useModel(id) ?? this.notRunning())
    this.setAbility('setReasoning', async level => this.run?.choosing.setReasoning(level) ?? this.notRunning())
  }

  /** zotui runs the tools of the gate, so it can ask before they run. */
  #guard(gate: CallGate): void {
    gate.attach(event => this.emit(event))
    this.judgeWith = (judge: Judge): void => gate.judgeWith(judge)
    this.answerPermission = (id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): void => {
      if (gate.answerPermission(id, answer, by) && answer.answer === 'stop') this.abort()
    }
    if (gate.setPermissionMode) this.setPermissionMode = (mode: PermissionMode): void => gate.setPermissionMode?.(mode)
    if (gate.listRunning)
      this.listRunning = async (): Promise<readonly RunningCommand[]> => (await gate.listRunning?.()) ?? []
    if (gate.endRunning)
      this.endRunning = async (pid: number): Promise<Reply> => (await gate.endRunning?.(pid)) ?? this.notRunning()
  }

  #models(isListed: (model: CatalogModel) => boolean): Reply<readonly Model[]> {
    if (!this.run) return this.notRunning()
    const listed = this.run.choosing.models.filter(model => this.#chosen.provider === '' || isListed(model))
    return { ok: true, value: listed.map(({ levels: _levels, takesImages: _images, ...model }) => model) }
  }
}

/** The choice of the model and of its reasoning. Meerkat receives it with the next turn. */
import type { Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { findModel, type CatalogModel, type ModelChoice } from './models.ts'

/** The model in the form of events. */
type ChosenModel = { provider: string; model: string; contextWindow: number | null; reasoningLevels: string[] }

export type Choosing = {
  /** The models of the catalog; empty until it has been read. */
  models: readonly CatalogModel[]
  /** The catalog's entry for the model in use. */
  readonly model: CatalogModel | undefined
  readonly facts: ChosenModel
  /** Null if it can be neither read nor set. */
  readonly reasoning: string | null
  /** The session has this model. Returns an event if the model differs from the last one reported. */
  found(model: string, provider: string): AgentEvent[]
  useModel(id: string): Reply
  setReasoning(level: string): Reply
}

export type ChoosingOptions = {
  name: string
  chosen: ModelChoice
  now: () => number
  emit: (event: AgentEvent) => void
}

export function createChoosing({ name, chosen, now, emit }: ChoosingOptions): Choosing {
  const choosing: Choosing = {
    models: [],
    get model() {
      return findModel(choosing.models, chosen.model, chosen.provider)
    },
    get facts() {
      const { provider, model } = chosen
      const { contextWindow = null, levels = [] } = choosing.model ?? {}
      return { provider, model, contextWindow, reasoningLevels: [...levels] }
    },
    get reasoning() {
      return (choosing.model?.levels ?? []).length > 0 ? chosen.reasoning : null
    },
    found(model, provider) {
      if (model === '' || (chosen.model === model && chosen.provider === provider)) return []
      return chooseModel(model, provider)
    },
    useModel(id) {
      const found = findModel(choosing.models, id, chosen.provider)
      if (!found && choosing.models.length > 0)
        return { ok: false, message: `${name} has no model ${id}; /model lists its models` }
      for (const event of chooseModel(id, found?.provider ?? chosen.provider)) emit(event)
      return { ok: true, value: undefined }
    },
    setReasoning(level) {
      if (level !== '' && !choosing.model?.levels.includes(level))
        return { ok: false, message: `${chosen.model || name} has no reasoning level ${level}` }
      chosen.reasoning = level
      emit({ type: 'reasoning_changed', at: now(), reasoning: level })
      return { ok: true, value: undefined }
    },
  }
  return choosing

  /** A reasoning level that the model does not support is dropped. */
  function chooseModel(model: string, provider: string): AgentEvent[] {
    Object.assign(chosen, { model, provider })
    const changed: AgentEvent = { type: 'model_changed', at: now(), ...choosing.facts }
    if (chosen.reasoning === '' || choosing.model?.levels.includes(chosen.reasoning)) return [changed]
    chosen.reasoning = ''
    return [changed, { type: 'reasoning_changed', at: now(), reasoning: '' }]
  }
}

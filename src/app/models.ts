/** Which model answers: the list of them, and switching, to another provider as well. */
import type { Model } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { sentence } from '../text/sentence.ts'
import type { AgentLife } from './agent-life.ts'
import type { Context } from './context.ts'
import type { Frames } from './frames.ts'
import { modelName } from './model-order.ts'

export type Models = {
  /** Opens the list. */
  pick: (filter?: string) => Promise<void>
  /** Opens the list of the models that other providers have. */
  pickElsewhere: () => Promise<void>
  /** Switches to the model of that name, which may be `provider/id`. Opens the list where several could be meant. */
  use: (name: string) => Promise<void>
  /** Notes which model is asked and which was chosen: they are listed first. */
  told: (events: readonly AgentEvent[]) => void
}

const UNREAD = { kind: 'models', elsewhere: false, filter: '', selected: 0, models: null } as const

export function createModels(context: Context, frames: Frames, life: AgentLife): Models {
  const { backend, state, dispatch, remark, hint } = context
  /** Those of the provider, as they were last listed. */
  let listed: readonly Model[] = []
  return { pick, pickElsewhere, use, told }

  async function pick(filter = ''): Promise<void> {
    if (!backend.listModels) return
    dispatch({ type: 'picker_changed', picker: { ...UNREAD, filter } })
    const reply = await backend.listModels()
    if (!reply.ok) {
      if (state().picker?.kind === 'models') dispatch({ type: 'picker_changed', picker: null })
      return remark('error', `The agent did not list its models: ${reply.message}`)
    }
    listed = reply.value
    show(reply.value, backend.listEveryModel !== undefined)
    // The list of all takes longer: those of this provider can be chosen meanwhile.
    show(withOthers(reply.value, await everyModel()), false)
  }

  async function pickElsewhere(): Promise<void> {
    dispatch({ type: 'picker_changed', picker: { ...UNREAD, elsewhere: true } })
    const models = context.inOrder(withOthers([], await everyModel()))
    const { picker } = state()
    if (picker?.kind !== 'models' || !picker.elsewhere) return
    dispatch({ type: 'picker_changed', picker: models.length > 0 ? { ...picker, models } : null })
    if (models.length === 0) hint(`${backend.name} names no other provider: /login adds one.`)
  }

  function show(models: readonly Model[], awaitsMore: boolean): void {
    dispatch({ type: 'models_listed', models: context.inOrder(models), awaitsMore })
  }

  async function everyModel(): Promise<readonly Model[]> {
    const reply = await backend.listEveryModel?.()
    return reply?.ok ? reply.value : []
  }

  function withOthers(own: readonly Model[], every: readonly Model[]): readonly Model[] {
    const { provider } = state().chat.agent
    return [...own, ...every.filter(model => model.provider !== provider)]
  }

  async function use(name: string): Promise<void> {
    const { provider } = state().chat.agent
    const own = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name
    const mine = [own, name].find(id => listed.some(model => model.provider === provider && model.id === id))
    if (mine !== undefined) return useOwn(mine)
    const every = await everyModel()
    const whole = every.filter(model => modelName(model) === name)
    // Ids of routers look like a provider and an id, too.
    const named = whole.length > 0 ? whole : every.filter(model => model.id === name)
    const same = named.find(model => model.provider === provider)
    const [other] = named
    if (same) return useOwn(same.id)
    if (named.length > 1) return pick(other?.id)
    if (!other || !backend.startWith) return useOwn(own)
    // A key and an address are those of one provider, and no other is to learn them.
    await life.exchange({ provider: other.provider, model: other.id, apiKey: '', baseUrl: '' })
    note()
  }

  function told(events: readonly AgentEvent[]): void {
    if (events.some(({ type }) => type === 'prompt_accepted' || type === 'model_changed')) note()
  }

  function note(): void {
    const { phase, provider, model } = state().chat.agent
    if (phase === 'ready' && model !== '') context.recentModels?.note(modelName({ provider, id: model }))
  }

  async function useOwn(id: string): Promise<void> {
    const reply = await backend.setModel?.(id)
    frames.flush()
    if (reply && !reply.ok) remark('error', sentence(reply.message))
    // The next start takes it as well.
    else backend.startWith?.({ provider: state().chat.agent.provider, model: id })
  }
}

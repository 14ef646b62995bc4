/** Lists the models, and switches between them, also to another provider. */
import { modelTitle } from '../../../conversation/queries/model-title.ts'
import type { Model, Reply } from '../../../agent/backend.ts'
import { sentence } from '../../../text/sentence.ts'
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AgentLifecycle } from './agent-lifecycle.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import { everyModel, withOthers } from '../../context/list-models.ts'
import { isNamedBy, modelName } from '../../../state/pickers/model-order.ts'
import { openPicker } from '../../../state/pickers/picker.ts'

export type Models = {
  /** Opens the list. */
  pick: (filter?: string) => Promise<void>
  /** Opens the list of the models of other providers. */
  pickOfOtherProvider: () => Promise<void>
  /** Switches to a model by name, which may be `provider/id`. Opens the list if several match. */
  use: (name: string) => Promise<void>
  /** Switches to one of the own models of this provider. */
  useOwn: (id: string) => Promise<Reply>
  /**
   * Runs `change`, which replaces the agent by one of this provider. If it has no known key, asks first: the
   * new agent might start and then answer nothing, while the memory of the current one is gone.
   */
  withKey: (provider: string | undefined, change: () => Promise<void>) => Promise<void>
}

const UNREAD = { kind: 'models', ofOtherProvider: false, filter: '', selected: 0, models: null } as const

export type ModelsParts = {
  context: AppContext
  batcher: EventBatcher
  life: Pick<AgentLifecycle, 'exchange'>
  choicePrompt: ChoicePrompt
  logIn: () => void
}

export function createModels({ context, batcher, life, choicePrompt, logIn }: ModelsParts): Models {
  const { backend, state, addNotice } = context
  const { pick, pickOfOtherProvider } = createModelLists(context)
  const mayStart = (model: Model | undefined): Promise<boolean> => askToStart(context, choicePrompt, model, logIn)
  // Recently used models are listed first.
  batcher.subscribe(events => {
    if (events.some(({ type }) => type === 'prompt_accepted' || type === 'model_changed')) note()
  })
  return {
    pick,
    pickOfOtherProvider,
    use,
    useOwn: setModel,
    async withKey(name, change) {
      // The agent may have ended a moment ago.
      batcher.flush()
      const replaces = name !== undefined && name !== provider() && state().chat.agent.phase === 'ready'
      const every = replaces ? await everyModel(backend) : []
      if (await mayStart(every.find(model => model.provider === name))) await change()
    },
  }

  function provider(): string {
    return state().chat.agent.provider
  }

  async function use(name: string): Promise<void> {
    const prefix = `${provider()}/`
    const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
    const mine = [own, name].find(id => isOwn(id))
    if (mine !== undefined) return useOwn(mine)
    const every = await everyModel(backend)
    const whole = every.filter(model => modelName(model) === name)
    // Model ids of routers also look like `provider/id`.
    const named = whole.length > 0 ? whole : every.filter(model => model.id === name)
    const same = named.find(model => model.provider === provider())
    const [other] = named
    if (same) return useOwn(same.id)
    if (named.length > 1) return pick(other?.id)
    if (!other || !backend.abilities.has('startWith')) return useUnlisted(own, every)
    if (!(await mayStart(other))) return
    await life.exchange({ provider: other.provider, model: other.id })
    note()
  }

  function isOwn(id: string): boolean {
    return (state().models ?? []).some(model => model.provider === provider() && model.id === id)
  }

  function note(): void {
    const { phase, provider, model } = state().chat.agent
    if (phase === 'ready' && model !== '') context.recentModels?.note(modelName({ provider, id: model }))
  }

  async function useOwn(id: string): Promise<void> {
    const reply = await setModel(id)
    if (!reply.ok) addNotice('error', sentence(reply.message))
  }

  /** The agent may accept a model that it does not list. A refused name may be part of a name, or a provider. */
  async function useUnlisted(name: string, every: readonly Model[]): Promise<void> {
    const reply = await setModel(name)
    if (reply.ok) return
    const own = await backend.listModels()
    const models = withOthers(own.ok ? own.value : [], every, provider())
    if (models.some(model => isNamedBy(model, name))) return pick(name)
    const canStart = backend.abilities.has('listEveryModel') && backend.abilities.has('startWith')
    addNotice('error', sentence(reply.message), canStart ? UNLISTED : undefined)
  }

  async function setModel(id: string): Promise<Reply> {
    const reply = await backend.setModel(id)
    batcher.flush()
    // A restarted agent gets it as well.
    if (reply.ok) backend.startWith({ provider: provider(), model: id })
    return reply
  }
}

/** The lists to choose from. */
function createModelLists(context: AppContext): Pick<Models, 'pick' | 'pickOfOtherProvider'> {
  const { backend, state, dispatch, addNotice, hint } = context
  const show = (models: readonly Model[], awaitsMore: boolean): void =>
    dispatch({ type: 'models_listed', models: context.inOrder(models), awaitsMore })

  return {
    async pick(filter = '') {
      if (!backend.abilities.has('listModels')) return
      dispatch({ type: 'picker_changed', picker: { ...UNREAD, filter } })
      const reply = await backend.listModels()
      if (!reply.ok) {
        if (openPicker(state().picker, 'models')) dispatch({ type: 'picker_changed', picker: null })
        return addNotice('error', `The agent did not list its models: ${reply.message}`)
      }
      show(reply.value, backend.abilities.has('listEveryModel'))
      // The list of all takes longer. Meanwhile models of this provider can be chosen.
      const every = await everyModel(backend)
      show(withOthers(reply.value, every, state().chat.agent.provider), false)
    },
    async pickOfOtherProvider() {
      dispatch({ type: 'picker_changed', picker: { ...UNREAD, ofOtherProvider: true } })
      const every = await everyModel(backend)
      const models = context.inOrder(withOthers([], every, state().chat.agent.provider))
      const picker = openPicker(state().picker, 'models')
      if (picker?.ofOtherProvider !== true) return
      dispatch({ type: 'picker_changed', picker: models.length > 0 ? { ...picker, models } : null })
      if (models.length === 0) hint(`${backend.name} has no other provider: /login adds one.`)
    },
  }
}

/** Asks whether to start an agent for a model without a known key. */
async function askToStart(
  { backend, state }: AppContext,
  choicePrompt: ChoicePrompt,
  model: Model | undefined,
  logIn: () => void,
): Promise<boolean> {
  if (model?.hasKey !== false || state().chat.agent.phase !== 'ready') return true
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stay = (): void => resolve(false)
  const login = (): void => {
    stay()
    logIn()
  }
  choicePrompt.ask({
    title: `no key for ${model.provider} was found`,
    answers: [
      { label: `stay with ${modelTitle(state().chat)}`, detail: 'nothing changes', run: stay },
      ...(backend.abilities.has('login') ? [{ label: 'log in', detail: 'then choose again', run: login }] : []),
      {
        label: `switch to ${model.provider} anyway`,
        detail: 'a new agent, which gets the conversation',
        run: () => resolve(true),
      },
    ],
    otherwise: stay,
  })
  return promise
}

const UNLISTED = '/model lists the known models. For an unlisted provider: /restart --provider ollama --model NAME.'

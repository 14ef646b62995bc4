/** Favourites, then what was used last, then the rest; and what is chosen while the list grows. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Model } from '../../src/agent/backend.ts'
import { inOrderOfUse, modelName } from '../../src/state/pickers/model-order.ts'
import { modelRows } from '../../components/picker/models.ts'
import type { ListedModel } from '../../src/state/pickers/picker.ts'
import { noCommandHint, popupRows } from '../../src/state/completion/popup.ts'
import type { RecentModels } from '../../src/storage/journal/recent-models.ts'
import { unsavedSettings } from '../../src/config/settings.ts'
import { startedStage, type Stage } from '../app/stage.ts'

function model(name: string): Model {
  const [provider = '', ...id] = name.split('/')
  return { provider, id: id.join('/'), contextWindow: null, maxOutput: null, reasoning: false }
}

const order = (names: string, favourites: string, recent: string): string =>
  inOrderOfUse(words(names).map(model), words(favourites), words(recent))
    .map(each => `${modelName(each)}${each.mark === undefined ? '' : ` ${each.mark}`}`)
    .join(', ')

const words = (text: string): string[] => text.split(' ').filter(word => word !== '')

describe('the order of models', () => {
  test.each([
    ['p/a p/b p/c', '', '', 'p/a, p/b, p/c'],
    ['p/a p/b p/c', 'c', '', 'p/c favourite, p/a, p/b'],
    ['p/a p/b p/c', '', 'p/c p/b', 'p/c recent, p/b recent, p/a'],
    ['p/a p/b p/c', 'b', 'p/c p/b', 'p/b favourite, p/c recent, p/a'],
    // A model that the agent no longer knows is not there.
    ['p/a p/b', 'gone p/gone', 'p/gone p/b', 'p/b recent, p/a'],
    // A short name is a favourite with every provider that has it; what was used is one of them.
    ['p/a q/a q/b', 'a', '', 'p/a favourite, q/a favourite, q/b'],
    ['p/b q/b p/a q/a', 'q/a', 'q/b', 'q/a favourite, q/b recent, p/b, p/a'],
    ['r/p/a p/a', '', 'r/p/a', 'r/p/a recent, p/a'],
    ['', 'a', 'p/a', ''],
  ])('%j with favourites %j and recent %j', (names, favourites, recent, wanted) => {
    expect(order(names, favourites, recent)).toBe(wanted)
  })

  test('has each model once, whatever is favourite or recent', () => {
    const names = fc.array(fc.constantFrom('p/a', 'p/b', 'q/a', 'a', 'b', 'x'))
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('p/a', 'p/b', 'q/a', 'q/c')),
        names,
        names,
        (all, favourites, recent) => {
          const listed = inOrderOfUse(all.map(model), favourites, recent).map(modelName)
          expect(listed.toSorted()).toEqual(all.toSorted())
        },
      ),
    )
  })
})

const own = ['claude', 'haiku', 'opus'].map(id => model(`anthropic/${id}`))
const others = ['gpt', 'claude'].map(id => model(`openai/${id}`))

function remembering(...names: string[]): RecentModels & { names: () => readonly string[] } {
  let kept = names
  return {
    names: () => kept,
    list: () => kept,
    note(name) {
      kept = [name, ...kept.filter(other => other !== name)]
    },
  }
}

const chosen = ({ state }: Stage): string => {
  const { picker } = state()
  const found = picker?.kind === 'models' ? picker.models?.[picker.selected] : undefined
  return found ? modelName(found) : 'none'
}

describe('models that match a filter equally', () => {
  const listed = ['anthropic/opus-4-1', 'anthropic/opus-4', 'ai/opus-4', 'ai/opus-4-2'].map(model)
  const found = (filter: string, models: readonly ListedModel[] = listed): string =>
    modelRows({ kind: 'models', ofOtherProvider: false, filter, selected: 0, models })
      .map(row => modelName(row.item))
      .join(' ')

  test('are sorted by provider first, even if another name is shorter', () => {
    expect(found('opus')).toBe('anthropic/opus-4 anthropic/opus-4-1 ai/opus-4 ai/opus-4-2')
  })

  test('are sorted with used ones first, and a full match before all', () => {
    const used = inOrderOfUse(listed, [], ['ai/opus-4-2'])
    expect(found('opus', used)).toBe('ai/opus-4-2 anthropic/opus-4 anthropic/opus-4-1 ai/opus-4')
    expect(found('opus-4', used)).toBe('anthropic/opus-4 ai/opus-4 ai/opus-4-2 anthropic/opus-4-1')
  })
})

describe('the model list', () => {
  test('opens on the model in use, even if another provider has the same name, and stays on it when it grows', async () => {
    const settings = unsavedSettings()
    const everyModel = Promise.withResolvers<{ ok: true; value: Model[] }>()
    const stage = await startedStage(
      backend => backend.with({ models: { ok: true, value: own }, listEveryModel: () => everyModel.promise }),
      { settings, recentModels: remembering('openai/claude', 'openai/gpt') },
    )
    await stage.press('alt+p')
    expect(chosen(stage)).toBe('anthropic/claude')
    everyModel.resolve({ ok: true, value: others })
    await stage.settle()
    expect(stage.state().picker).toMatchObject({ selected: 2 })
    expect(chosen(stage)).toBe('anthropic/claude')
  })

  test('selects the best match of what was typed before the models of others arrived', async () => {
    const everyModel = Promise.withResolvers<{ ok: true; value: Model[] }>()
    const stage = await startedStage(backend =>
      backend.with({ models: { ok: true, value: own }, listEveryModel: () => everyModel.promise }),
    )
    await stage.press('alt+p')
    await stage.type('ha')
    const first = (): string => {
      const { picker } = stage.state()
      const row = picker?.kind === 'models' ? modelRows(picker)[picker.selected] : undefined
      return row ? modelName(row.item) : 'none'
    }
    expect(first()).toBe('anthropic/haiku')
    everyModel.resolve({ ok: true, value: [...others, model('openai/ha')] })
    await stage.settle()
    expect(first()).toBe('openai/ha')
  })

  test('keeps the chosen row when it grows', async () => {
    const everyModel = Promise.withResolvers<{ ok: true; value: Model[] }>()
    const stage = await startedStage(
      backend => backend.with({ models: { ok: true, value: own }, listEveryModel: () => everyModel.promise }),
      { recentModels: remembering('openai/gpt') },
    )
    await stage.press('alt+p', 'down')
    expect(chosen(stage)).toBe('anthropic/haiku')
    expect(stage.state().picker).toMatchObject({ awaitsMore: true })
    everyModel.resolve({ ok: true, value: others })
    await stage.settle()
    expect(chosen(stage)).toBe('anthropic/haiku')
    expect(stage.state().picker).toMatchObject({ awaitsMore: false })
  })

  test('has requested and chosen models before the rest, the newest first', async () => {
    const recentModels = remembering()
    const stage = await startedStage(
      backend => backend.with({ models: { ok: true, value: own }, everyModel: { ok: true, value: others } }),
      { recentModels },
    )
    expect(recentModels.names()).toEqual([])
    await stage.say('one')
    await stage.done()
    expect(recentModels.names()).toEqual(['anthropic/claude'])
    await stage.say('/model opus')
    stage.backend.startsAs = { provider: 'openai', model: 'gpt' }
    await stage.say('/model openai/gpt')
    expect(recentModels.names()[0]).toBe('openai/gpt')
    expect(recentModels.names().at(-1)).toBe('anthropic/claude')
  })
})

/** With an agent that refuses each model. */
const make = (parts: object = {}) =>
  startedStage(backend =>
    Object.assign(
      backend,
      { models: { ok: true, value: own }, everyModel: { ok: true, value: others } },
      { reply: { ok: false, message: 'unknown model' } },
      parts,
    ),
  )

describe('/model with a part of a name', () => {
  test('offers models of other providers by their full names', async () => {
    const stage = await make()
    await stage.type('/model openai')
    const rows = popupRows(stage.state(), stage.controller.commands())
    expect(rows.map(({ label }) => label)).toEqual(['openai/gpt', 'openai/claude'])
  })

  test('does not take a model of another provider or a similar one at once', async () => {
    const stage = await make()
    await stage.type('/model gp')
    stage.asked()
    await stage.press('enter')
    expect(stage.state().editor.text).toBe('/model openai/gpt')
    expect(stage.asked()).toEqual([])
    await stage.press('ctrl+u')
    await stage.type('/model pni')
    expect(popupRows(stage.state(), stage.controller.commands())).toEqual([])
  })

  test('says how to use an unlisted model, unless Esc has closed the list', async () => {
    const stage = await make()
    await stage.type('/model ollama')
    const hint = () => noCommandHint(stage.state(), stage.controller.commands())
    expect(hint()).toMatch(/^No model matches\. .*\/restart --provider NAME --model ID$/)
    await stage.press('ctrl+u')
    await stage.type('/model gp')
    expect(hint()).toBeNull()
    await stage.press('escape')
    expect(hint()).toBeNull()
  })

  test('opens the list of candidates if the agent knows no such name', async () => {
    const stage = await make()
    await stage.type('/model open')
    await stage.press('escape', 'enter')
    expect(stage.state().picker).toMatchObject({ kind: 'models', filter: 'open', awaitsMore: false })
    const { picker } = stage.state()
    const shown = picker?.kind === 'models' ? modelRows(picker) : []
    expect(shown.map(row => row.item.provider)).toEqual(['openai', 'openai'])
  })

  test('that matches nothing is refused by the agent, with a hint on unlisted models', async () => {
    const stage = await make()
    await stage.say('/model ollama')
    expect(stage.state().picker).toBeNull()
    expect(stage.state().chat.entries.at(-1)).toMatchObject({
      level: 'error',
      text: 'Unknown model.',
      hint: expect.stringContaining('/restart --provider ollama --model NAME'),
    })
  })

  test('that the agent knows but does not list is used', async () => {
    const stage = await make({ reply: { ok: true, value: undefined } })
    await stage.say('/model secret-preview')
    expect(stage.state().chat.agent.model).toBe('secret-preview')
  })
})

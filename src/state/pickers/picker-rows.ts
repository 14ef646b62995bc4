/** The rows of the lists below the composer, which take all keys and are searched by typing. */
import { hasWords, wordsIn } from '../../composer/filter.ts'
import { rank, unranked, type Matches } from '../../composer/ranking.ts'
import { lastMade } from '../../text/last-made.ts'
import { sessionRows } from './session-rows.ts'
import type { Choice, ChoicePicker, FoundPrompt, HistoryPicker, ListedModel, ModelPicker, Picker } from './picker.ts'

/** The models that match the filter, best first; only the first of very many. */
export function modelRows(picker: ModelPicker): Matches<ListedModel> {
  const { filter, elsewhere, models } = picker
  if (models === null) return noModels
  return rowsOfModels(models, `${elsewhere} ${filter}`, () =>
    filter === '' ? unranked(models) : rank(filter, models, searchedName, placeIn(picker, models)),
  )
}

const noModels: Matches<ListedModel> = unranked([])
const rowsOfModels = lastMade<Matches<ListedModel>>()

const searchedName = ({ id, provider, name = '' }: ListedModel): string => `${id} ${provider} ${name}`.trimEnd()

/** The order of models that match equally: typed in full, favourite or recent, of the provider, of others. */
function placeIn({ filter, elsewhere }: ModelPicker, models: readonly ListedModel[]): (model: ListedModel) => number {
  // Models of the provider are listed before those of others.
  const provider = elsewhere ? undefined : models.find(({ mark }) => mark === undefined)?.provider
  return model => {
    if (model.id === filter.trim()) return model.provider === provider ? 0 : 1
    if (model.mark !== undefined) return 2
    return model.provider === provider ? 3 : 4
  }
}

/** An answer with its index, null for typed text, and the offsets that the filter matched. */
export type ChoiceRow = { choice: Choice; index: number | null; positions: readonly number[] }

export function choiceRows(picker: ChoicePicker): ChoiceRow[] {
  const { filter, choices, typed } = picker
  if (typed !== null && filter !== '')
    return [{ choice: { label: shownFilter(picker), detail: typed }, index: null, positions: [] }]
  const all = choices.map((choice, index) => ({ choice, index, positions: [] }))
  if (filter === '') return all
  return rank(filter, all, row => row.choice.label).map(({ item, positions }) => ({
    choice: item.choice,
    index: item.index,
    positions,
  }))
}

/** The typed text, with a secret hidden. */
export function shownFilter(picker: Picker): string {
  const isSecret = picker.kind === 'choice' && picker.isSecret
  return isSecret ? '*'.repeat(Math.min(picker.filter.length, MOST_STARS)) : picker.filter
}

/** The stars show that keys arrive, not how long the secret is. */
const MOST_STARS = 12

export function rowCount(picker: Picker): number {
  switch (picker.kind) {
    case 'history':
    case 'sessions':
      return picker.found.length
    case 'models':
      return modelRows(picker).length
    case 'choice':
      return choiceRows(picker).length
    case 'conversations':
      return picker.rows.length
  }
}

/** The list with another filter, at its first row. */
export function filtered(picker: Picker, filter: string): Picker {
  if (picker.kind === 'sessions')
    return { ...picker, filter, selected: 0, found: sessionRows(picker.sessions ?? [], filter) }
  if (picker.kind !== 'history') return { ...picker, filter, selected: 0 }
  return { ...picker, filter, selected: 0, found: promptsWith(filter, picker.prompts) }
}

export function historyPicker(
  scope: HistoryPicker['scope'],
  filter: string,
  prompts: readonly FoundPrompt[],
): HistoryPicker {
  return { kind: 'history', scope, filter, selected: 0, prompts, found: promptsWith(filter, prompts) }
}

/** Characters of a prompt that are searched. */
const SEARCHED = 10_000

/** The prompts that contain all the words, ignoring case, in their order. */
function promptsWith(filter: string, prompts: readonly FoundPrompt[]): readonly FoundPrompt[] {
  const words = wordsIn(filter)
  if (words.length === 0) return prompts
  return prompts.filter(({ text }) => hasWords(text.slice(0, SEARCHED), words))
}

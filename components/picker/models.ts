/** The list of models. */
import type { PickerApp } from '../../src/app/pickers/pickers.ts'
import { rank, unranked, type Matches } from '../../src/composer/ranking.ts'
import { modelName } from '../../src/state/pickers/model-order.ts'
import type { AppEvent } from '../../src/state/reduce.ts'
import { lastMade } from '../../src/text/last-made.ts'
import type { PickerSpec } from './picker-spec.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { trimEndOf } from '../../src/text/styled.ts'
import type { ListedModel, ModelPicker } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import { formatTokens } from '../../src/text/format.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { Column } from '../../src/style/columns.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import type { Theme } from '../../src/style/theme.ts'
import { countOf, keyFact } from '../../src/style/list-window.ts'
import {
  aboutLines,
  factColumns,
  MARGINS,
  nameOf,
  rowsOf,
  widening,
  widestName,
  type RowList,
  type ListRow,
  type RowLayout,
} from './list.ts'

export const models: PickerSpec<'models'> = {
  title: ({ ofOtherProvider }) => (ofOtherProvider ? 'model of another provider' : 'model'),
  size: picker => modelRows(picker).length,
  filter: (picker, filter) => ({ ...picker, filter, selected: 0 }),
  rows: modelList,
  isIncomplete: picker => picker.models === null || picker.awaitsMore === true,
  // The models are too many to move with j and k: a letter always searches.
  letters: () => 'search',
  follow: (picker, event, state) => (event.type === 'models_listed' ? withModels(picker, event, state) : picker),
  take,
}

/** The models that match the filter, best first; only the first of very many. */
export function modelRows(picker: ModelPicker): Matches<ListedModel> {
  const { filter, ofOtherProvider, models } = picker
  if (models === null) return noModels
  return rowsOfModels(models, `${ofOtherProvider} ${filter}`, () =>
    filter === '' ? unranked(models) : rank(filter, models, searchedName, placeIn(picker, models)),
  )
}

const noModels: Matches<ListedModel> = unranked([])
const rowsOfModels = lastMade<Matches<ListedModel>>()

const searchedName = ({ id, provider, name = '' }: ListedModel): string => `${id} ${provider} ${name}`.trimEnd()

/** The order of models that match equally: typed in full, favourite or recent, of the provider, of others. */
function placeIn(
  { filter, ofOtherProvider }: ModelPicker,
  models: readonly ListedModel[],
): (model: ListedModel) => number {
  // Models of the provider are listed before those of others.
  const provider = ofOtherProvider ? undefined : models.find(({ mark }) => mark === undefined)?.provider
  return model => {
    if (model.id === filter.trim()) return model.provider === provider ? 0 : 1
    if (model.mark !== undefined) return 2
    return model.provider === provider ? 3 : 4
  }
}

/**
 * The list with the models. The model in use is selected first; later the selected model stays selected. Below a filter the
 * best match is selected until another row is.
 */
function withModels(
  picker: ModelPicker,
  { models: listed, awaitsMore = false }: Extract<AppEvent, { type: 'models_listed' }>,
  { chat }: Pick<AppState, 'chat'>,
): ModelPicker {
  const { provider, model: id } = chat.agent
  const chosen = picker.models === null ? { provider, id } : modelRows(picker)[picker.selected]?.item
  const fresh = { ...picker, models: listed, awaitsMore }
  if (picker.filter !== '' && picker.selected === 0) return fresh
  const at = modelRows(fresh).findIndex(({ item }) => item.id === chosen?.id && item.provider === chosen.provider)
  return { ...fresh, selected: Math.max(0, at) }
}

function take({ context, turns, choicePrompt }: PickerApp, picker: ModelPicker): void {
  const model = modelRows(picker)[picker.selected]?.item
  if (model) {
    context.dispatch({ type: 'picker_changed', picker: null })
    const { agent } = context.state().chat
    if (model.provider !== agent.provider) turns.command('model', modelName(model))
    else if (model.id !== agent.model) turns.command('model', model.id)
  }
  choicePrompt.askNext()
}

/** The width of a provider: of hundreds of models one always has a very long name. */
const PROVIDER = 12
/** The width of the names for people. */
const NAME = 28
/** Lines of a list that has room for the name of the chosen model below it. */
const ROOM_FOR_NAME = 6
const ABOUT_OTHERS = 'A model of another provider starts a new agent, which gets the conversation.'
/** Below this width the reason why a model is listed first is left out, since the other facts need the room. */
const WIDE = 45

export function modelList(picker: ModelPicker, state: AppState, theme: Theme): RowList {
  const { signs } = theme
  const { keyNames, chat } = state
  const { agent } = chat
  const { models, selected } = picker
  const found = modelRows(picker)
  const isUsed = ({ id, provider }: ListedModel): boolean => id === agent.model && provider === agent.provider
  const count = keyFact(countOf(found.total, models?.length ?? 0, 'model'), 2)
  const types = keyFact(picker.filter === '' ? 'type to search' : '', 3)
  const isOther = ({ provider }: ListedModel): boolean => agent.provider !== '' && provider !== agent.provider
  return {
    selected,
    ...(models?.some(isOther) && { aloud: sanitize(ABOUT_OTHERS) }),
    ...rowsOf(found, ({ item, positions }) => modelRow(item, positions, isUsed(item))),
    none: sanitize(noModel(picker, keyNames, signs.ellipsis)),
    layout: (rows, columns) => {
      const { hasNames, ...layout } = modelLayout(rows, columns, signs.ellipsis)
      const name = hasNames ? '' : modelTitleOf(found[selected]?.item)
      return { ...layout, about: room => (room < ROOM_FOR_NAME ? [] : aboutLines([['', name]], 4, { theme, columns })) }
    },
    keys: () => {
      if (models === null) return []
      const cancels = keyFact(keyed(keyNames, '{picker.close} cancels'), 0)
      return [count, types, ...enterKeys(found[selected]?.item, agent, keyNames), cancels]
    },
    hint: null,
  }
}

/** The name for people, if it says more than the id. */
function modelTitleOf(model: ListedModel | undefined): string {
  return model?.name === undefined || model.name === model.id ? '' : model.name
}

function modelRow(model: ListedModel, positions: readonly number[], isUsed: boolean): ListRow {
  const { id, provider, contextWindow, reasoning, hasKey, mark = '' } = model
  const isListedFirst = !isUsed && hasKey !== false
  const title = modelTitleOf(model)
  // The ids of an agent that reports no provider may be hard to read. A search finds both: the name comes after the id.
  const isNamed = provider === '' && title !== ''
  const at = positions.map(each => each - id.length - 2).filter(each => each >= 0)
  const facts = [
    oneLine(sanitize(isNamed ? id : title)),
    oneLine(sanitize(provider)),
    contextWindow === null ? sanitize('') : formatTokens(contextWindow),
    sanitize(reasoning ? 'reasoning' : ''),
    sanitize(isUsed ? 'in use' : hasKey === false ? 'no key' : ''),
  ]
  return {
    ...(isNamed ? nameOf(title, at) : nameOf(id, positions)),
    depth: 0,
    facts,
    note: sanitize(isListedFirst ? mark : ''),
  }
}

const COLUMNS: readonly Omit<Column<ListRow>, 'cell'>[] = [
  { rank: 4, most: NAME },
  { rank: 2, most: PROVIDER },
  { rank: 1, isNumber: true },
  { rank: 3 },
  { rank: 0 },
]

/** Facts have the room that names leave, and names have at least a third of the screen. */
function modelLayout(
  rows: readonly ListRow[],
  columns: number,
  ellipsis: Theme['signs']['ellipsis'],
): Omit<RowLayout, 'about'> & { hasNames: boolean } {
  const widest = widestName(rows)
  const room = columns - MARGINS - Math.min(widest, Math.max(18, Math.floor(columns * 0.35)))
  // The note shares the last column.
  const withNote = ({ facts, note, ...row }: ListRow): ListRow => ({
    ...row,
    facts: note === '' || room < WIDE ? facts : [...facts.slice(0, -1), note],
    note,
  })
  const facts = factColumns(rows.map(withNote), COLUMNS, { room, ellipsis })
  return {
    nameWidth: () => Math.min(widest, columns - MARGINS - facts.width),
    beside: row => trimEndOf(facts.line(withNote(row))),
    hasNames: facts.shows(0),
  }
}

function noModel({ models, awaitsMore }: ModelPicker, names: KeyNames, ellipsis: string): string {
  if (models === null) return `asking the agent ${ellipsis}`
  if (awaitsMore) return `no matching models yet; those of other providers are coming ${ellipsis}`
  return `no matching models${widening(names)}`
}

/** Says before the choice that a model of another provider starts a new agent. */
function enterKeys(model: ListedModel | undefined, { provider }: AppState['chat']['agent'], names: KeyNames): Fact[] {
  const isOther = model !== undefined && provider !== '' && model.provider !== provider
  if (isOther) return [keyFact(keyed(names, '{picker.take} starts a new agent, which gets the conversation'), 1)]
  const chooses = keyFact(keyed(names, '{picker.up} and {picker.down} choose'), 9)
  return [chooses, keyFact(keyed(names, '{picker.take} selects'), 1)]
}

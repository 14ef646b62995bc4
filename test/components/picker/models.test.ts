import { textsOf } from '../../helpers/lines.ts'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { inOrderOfUse } from '../../../src/state/pickers/model-order.ts'
import { listLines, widestName } from '../../../components/picker/list.ts'
import { modelList } from '../../../components/picker/models.ts'
import type { ListedModel, ModelPicker } from '../../../src/state/pickers/picker.ts'
import { chatAfter, started } from '../../conversation/events.ts'
import { models } from '../../golden/shots.ts'
import { theme, withChat } from '../stage.ts'

/** The facts of the models where names leave so many columns. */
function factsOf(listed: readonly ListedModel[], room: number): string[] {
  const picker = { kind: 'models', ofOtherProvider: false, filter: '', selected: 0, models: listed } as const
  const list = modelList(picker, withChat(chatAfter(started)), theme)
  const rows = list.rows(0, listed.length)
  let columns = room
  const left = (): number => columns - 7 - Math.min(widestName(rows), Math.max(18, Math.floor(columns * 0.35)))
  while (left() < room) columns += 1
  const { beside } = list.layout(rows, columns)
  return textsOf(rows.map(beside))
}
const drawn = (room: number): string[] => factsOf(models, room)

test('all rows of the model list have the same columns', () => {
  expect(drawn(60)).toEqual([
    'anthropic   200k   reasoning   in use',
    'anthropic   200k',
    'openai      400k   reasoning',
    'local',
  ])
})

test('in a narrow list all rows lose the same column', () => {
  expect(drawn(30)).toEqual(['anthropic   200k   in use', 'anthropic   200k', 'openai      400k', 'local'])
  expect(drawn(14)).toEqual(['200k   in use', '200k', '400k', ''])
  expect(drawn(8)).toEqual(['in use', '', '', ''])
  expect(drawn(2)).toEqual(['', '', '', ''])
})

test.each([0, 5, 20, 33, 80])('in %i columns no row of the model list is wider', room => {
  for (const line of drawn(room)) expect(displayWidth(line)).toBeLessThanOrEqual(room)
})

test('the reason why a model is listed first is shown if there is room, and a long provider is cut', () => {
  const [claude, small] = models
  const far = {
    id: 'gpt',
    provider: 'azure-openai-responses',
    contextWindow: 400_000,
    maxOutput: null,
    reasoning: true,
  }
  const known = [claude, small, far].filter(model => model !== undefined)
  const all = inOrderOfUse(known, ['claude-small'], ['anthropic/claude', 'azure-openai-responses/gpt'])
  const at = (room: number): string[] => factsOf(all, room)
  expect(at(45)).toEqual([
    'anthropic      200k               favourite',
    'anthropic      200k   reasoning   in use',
    'azure-opena…   400k   reasoning   recent',
  ])
  expect(at(44)).toEqual([
    'anthropic      200k',
    'anthropic      200k   reasoning   in use',
    'azure-opena…   400k   reasoning',
  ])
})

const named = [
  {
    id: 'sonnet',
    provider: 'anthropic',
    name: 'Claude Sonnet',
    contextWindow: null,
    maxOutput: null,
    reasoning: false,
  },
  { id: 'gpt', provider: 'openai', contextWindow: null, maxOutput: null, reasoning: false },
  { id: 'haiku', provider: 'anthropic', name: 'Claude Haiku', contextWindow: null, maxOutput: null, reasoning: false },
]
const pickerOf = (filter: string, selected = 0): ModelPicker => ({
  kind: 'models',
  ofOtherProvider: false,
  filter,
  selected,
  models: inOrderOfUse(named, [], []),
})
const listOf = (picker: ModelPicker, columns: number, room = 12): string[] =>
  textsOf(listLines(modelList(picker, withChat(chatAfter(started)), theme), { theme, columns }, room))

test('models stand beside those of their provider, with the names that people know', () => {
  expect(listOf(pickerOf(''), 100)).toEqual([
    '  › sonnet   Claude Sonnet   anthropic',
    '    haiku    Claude Haiku    anthropic',
    '    gpt                      openai',
    '  3 models   type to search   Up and Down choose   Enter selects   Esc cancels',
  ])
})

test('in a narrow list the name of the chosen model stands below the rows, if there is room', () => {
  expect(listOf(pickerOf('', 1), 34)).toEqual([
    '    sonnet   anthropic',
    '  › haiku    anthropic',
    '    gpt      openai',
    '',
    '    Claude Haiku',
    expect.stringContaining('Esc cancels'),
  ])
  expect(listOf(pickerOf('', 1), 34, 5).join()).not.toContain('Claude')
})

test('a filter finds a name, and says how many of all models it left', () => {
  const lines = listOf(pickerOf('claude'), 100)
  expect(
    lines
      .slice(0, 2)
      .map(line => line.slice(4, 10).trim())
      .toSorted(),
  ).toEqual(['haiku', 'sonnet'])
  expect(lines.at(-1)).toMatch(/^ {2}2 of 3 models {3}Up and Down choose/)
})

test('the models of an agent that reports no provider have its names, and what a search finds in them is marked', () => {
  const model = { provider: '', contextWindow: null, maxOutput: null, reasoning: false }
  const listed = [
    { ...model, id: '$runtime|openai|fake(openai)', name: 'fake' },
    { ...model, id: 'haiku', name: 'Haiku 5.5' },
    { ...model, id: 'plain', name: 'plain' },
  ]
  const list = (filter: string) => {
    const picker = { kind: 'models', ofOtherProvider: false, filter, selected: 0, models: listed } as const
    return modelList(picker, withChat(chatAfter(started)), theme).rows(0, listed.length)
  }
  expect(list('').map(({ name, facts }) => [String(name), String(facts[0])])).toEqual([
    ['fake', '$runtime|openai|fake(openai)'],
    ['Haiku 5.5', 'haiku'],
    ['plain', ''],
  ])
  const [found] = list('5.5')
  expect(found && [...found.positions].map(at => found.name[at])).toEqual(['5', '.', '5'])
})

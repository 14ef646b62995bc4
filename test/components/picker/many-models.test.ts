/** Very many models: only those are looked at that somebody may see. */
import { textsOf } from '../../helpers/lines.ts'
import { expect, test } from 'vitest'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { modelRows } from '../../../components/picker/models.ts'
import type { ModelPicker } from '../../../src/state/pickers/picker.ts'
import { MOST_RANKED, rank } from '../../../src/composer/ranking.ts'
import { popupRows } from '../../../src/state/completion/popup.ts'
import { popupLines } from '../../../components/popup/rows.ts'
import { commands, rowsBelow, stateWith, theme, withDraft } from '../stage.ts'

const count = 130_000
const models = Array.from({ length: count }, (_, number) => ({
  id: number === count - 1 ? 'the one that is meant' : `model-${number}`,
  provider: 'many',
  contextWindow: 200_000,
  maxOutput: null,
  reasoning: false,
}))
const picker = (filter: string, selected = 0): ModelPicker => ({
  kind: 'models',
  ofOtherProvider: false,
  filter,
  selected,
  models,
})

test('the picker draws thousands of models quickly, also at the end of the list', () => {
  for (const selected of [0, count - 1]) {
    const state = stateWith({ picker: picker('', selected) })
    const lines = textsOf(rowsBelow(state, 100, 12)).join('\n')
    expect(lines).toContain(models[selected]?.id)
    expect(lines).toContain('130000 models')
  }
})

test('the picker counts all matches, even if it lists only the best', () => {
  const state = stateWith({ picker: picker('model-1') })
  const lines = textsOf(rowsBelow(state, 100, 12)).join('\n')
  expect(modelRows(picker('model')).total).toBe(count - 1)
  expect(lines).toContain(`${models.filter(({ id }) => id.includes('1')).length} of ${count} models`)
})

test('a filter finds the last of thousands of models, and scores only some matches', () => {
  expect(modelRows(picker('meant'))[0]?.item.id).toBe('the one that is meant')
  expect(modelRows(picker('model'))).toHaveLength(MOST_RANKED)
})

test('moving in the list does not rebuild its rows', () => {
  expect(modelRows(picker('model-1', 1))).toBe(modelRows(picker('model-1', 2)))
  expect(modelRows(picker('model-12'))).not.toBe(modelRows(picker('model-1')))
})

test('names with adjacent matching letters come before names with scattered ones', () => {
  const names = [...Array.from({ length: 5000 }, (_, at) => `s-o-n-${at}`), 'the son', 'sonnet']
  const found = rank('son', names, name => name).map(({ item }) => item)
  expect(found.slice(0, 2).toSorted()).toEqual(['sonnet', 'the son'])
  expect(found).toHaveLength(MOST_RANKED)
})

test('the completion popup of /model shows some of thousands of models', () => {
  const state = { ...withDraft('/model '), models }
  const rows = popupRows(state, commands)
  expect(rows).toHaveLength(MOST_RANKED)
  const lines = popupLines(rows, 0, { theme, columns: 80, keyNames: defaultKeymap.names }, 10)
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(textsOf(lines).at(-1)).toContain(`1 of the first ${MOST_RANKED}`)
})

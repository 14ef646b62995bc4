/** Of very many models only those are looked at that somebody may see. */
import { expect, test } from 'vitest'
import { pickerRows } from '../../src/state/picker-rows.ts'
import type { ModelPicker } from '../../src/state/picker.ts'
import { MOST_RANKED, rank } from '../../src/composer/completion.ts'
import { belowLines } from '../../src/rows/below.ts'
import { popupRows } from '../../src/state/popup.ts'
import { popupLines } from '../../src/rows/popup.ts'
import { commands, stateWith, theme, withDraft } from '../rows/stage.ts'
import { textsOf } from '../helpers/lines.ts'

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
  elsewhere: false,
  filter,
  selected,
  models,
})

test('the list of them is drawn, at its end as well', () => {
  for (const selected of [0, count - 1]) {
    const state = stateWith({ picker: picker('', selected) })
    const lines = textsOf(belowLines(state, { theme, columns: 80, commands }, 12)).join('\n')
    expect(lines).toContain(models[selected]?.id)
    expect(lines).toContain('130000 of 130000')
  }
})

test('a filter finds the last one of them, and the best ways to match are looked for in some only', () => {
  expect(pickerRows(picker('meant'))[0]?.model.id).toBe('the one that is meant')
  expect(pickerRows(picker('model'))).toHaveLength(MOST_RANKED)
})

test('the same rows are not made again for a move in them', () => {
  expect(pickerRows(picker('model-1', 1))).toBe(pickerRows(picker('model-1', 2)))
  expect(pickerRows(picker('model-12'))).not.toBe(pickerRows(picker('model-1')))
})

test('names with the typed letters side by side come before names that only have them somewhere', () => {
  const names = [...Array.from({ length: 5000 }, (_, at) => `s-o-n-${at}`), 'the son', 'sonnet']
  const found = rank('son', names, name => name).map(({ item }) => item)
  expect(found.slice(0, 2).toSorted()).toEqual(['sonnet', 'the son'])
  expect(found).toHaveLength(MOST_RANKED)
})

test('the popup of a command shows some of them', () => {
  const state = { ...withDraft('/model '), models }
  const rows = popupRows(state, commands)
  expect(rows).toHaveLength(MOST_RANKED)
  expect(popupLines(rows, 0, { theme, columns: 80 }, 10).length).toBeLessThanOrEqual(10)
})

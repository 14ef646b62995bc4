import { expect, test } from 'vitest'
import { displayWidth } from '../../src/text/width.ts'
import { inOrderOfUse } from '../../src/state/model-order.ts'
import { modelColumns } from '../../src/rows/model-columns.ts'
import { chatAfter, started } from '../conversation/events.ts'
import { models } from '../golden/shots.ts'
import { withChat } from './stage.ts'
import { textsOf } from '../helpers/lines.ts'

const rows = models.map(model => ({ model, positions: [] }))
const drawn = (room: number): string[] => {
  const { line } = modelColumns(rows, { room, ellipsis: '…' }, withChat(chatAfter(started)))
  return textsOf(models.map(line))
}

test('all rows have the same columns', () => {
  expect(drawn(60)).toEqual([
    'anthropic   200k   reasoning   in use',
    'anthropic   200k',
    'openai      400k   reasoning',
    'local',
  ])
})

test('where it is narrow a column falls away in all of them', () => {
  expect(drawn(30)).toEqual(['anthropic   200k   in use', 'anthropic   200k', 'openai      400k', 'local'])
  expect(drawn(14)).toEqual(['200k   in use', '200k', '400k', ''])
  expect(drawn(8)).toEqual(['in use', '', '', ''])
  expect(drawn(2)).toEqual(['', '', '', ''])
})

test.each([0, 5, 20, 33, 80])('in %i columns nothing is wider', room => {
  for (const line of drawn(room)) expect(displayWidth(line)).toBeLessThanOrEqual(room)
})

test('why a model stands before others is said where there is room, and a long provider is cut', () => {
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
  const at = (room: number): string[] => {
    const { line } = modelColumns(
      all.map(model => ({ model, positions: [] })),
      { room, ellipsis: '…' },
      withChat(chatAfter(started)),
    )
    return textsOf(all.map(line))
  }
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

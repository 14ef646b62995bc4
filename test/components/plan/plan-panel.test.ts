/** The to-do list above the working line. */
import { expect, test } from 'vitest'
import { planPanelLines } from '../../../components/plan/rows.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { accepted, chatAfter, ended, prompt, step, type Told } from '../../conversation/events.ts'
import { textsOf } from '../../helpers/lines.ts'

const plan = (count: number, done: number): Told => ({
  type: 'plan_changed',
  entries: Array.from({ length: count }, (_, at) => ({
    text: `item ${at + 1}`,
    status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
  })),
})
const begun: readonly Told[] = [prompt('go'), accepted, step(1)]

const rows = (told: readonly Told[], { width = 80, room = 20 } = {}): string[] =>
  textsOf(planPanelLines(chatAfter(...told), { theme: createTheme(0), width, room }))

test('The list of the running turn has up to six rows', () => {
  expect(rows([...begun, plan(3, 1)])).toEqual(['  ● item 1', '  ◐ item 2', '  ○ item 3'])
  expect(rows([...begun, plan(30, 9)])).toEqual([
    '  ● item 9',
    '  ◐ item 10',
    '  ○ item 11',
    '  ○ item 12',
    '  ○ item 13',
    '  +25 more, 9 done',
  ])
})

test('It is one line in a narrow terminal, and where there is little room', () => {
  expect(rows([...begun, plan(3, 1)], { width: 40 })).toEqual(['  ◐ 1/3 item 2'])
  expect(rows([...begun, plan(3, 1)], { room: 10 })).toEqual(['  ◐ 1/3 item 2'])
})

test('A list without an item in progress is at the first that is not done', () => {
  const entries = ['completed', 'pending', 'pending'].map((status, at) => ({ text: `item ${at + 1}`, status }))
  const told = { type: 'plan_changed', entries, inAnswer: true } as Told
  expect(rows([...begun, told])).toEqual(['  ● item 1', '  ◐ item 2', '  ○ item 3'])
})

test('The list goes with its turn, whatever it leaves undone', () => {
  const left = [...begun, plan(3, 1), ended]
  expect(rows(left)).toEqual([])
  expect(rows([...left, ...begun])).toEqual([])
  expect(rows([...left, ...begun, plan(2, 0)])).toEqual(['  ◐ item 1', '  ○ item 2'])
  expect(rows([...begun, plan(3, 3), ended])).toEqual([])
})

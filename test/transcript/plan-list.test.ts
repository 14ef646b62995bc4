/** A to-do list says of each item without colours whether it is done, in progress or to do. */
import { expect, test } from 'vitest'
import type { Turn } from '../../src/conversation/state.ts'
import { createTheme } from '../../src/style/theme.ts'
import { foldedPlanLine, openPlanLines, planLines } from '../../src/transcript/plan-list.ts'
import { textsOf } from '../helpers/lines.ts'

const plan: Turn['plan'] = [
  { text: 'Read the parser', status: 'completed' },
  { text: 'Mend what it does with an empty line at the end', status: 'in_progress' },
  { text: 'Run the tests', status: 'pending' },
]
const without = createTheme(0)

test('Each state has a sign of its own, also without colours and in 40 columns', () => {
  for (const lines of [
    planLines(plan, { theme: without, width: 40 }),
    openPlanLines(plan, { theme: without, width: 40 }),
  ])
    expect(textsOf(lines)).toEqual([
      '  ● Read the parser',
      '  ◐ Mend what it does with an empty lin…',
      '  ○ Run the tests',
    ])
})

test('Each state has a sign of its own in plain ASCII', () => {
  const theme = createTheme(0, { unicode: false })
  expect(textsOf(planLines(plan, { theme, width: 80 })).map(line => line.slice(0, 4))).toEqual(['  * ', '  ~ ', '  o '])
})

test('A screen reader speaks each state', () => {
  const theme = createTheme(0, { isSpoken: true })
  expect(textsOf(planLines(plan, { theme, width: 80 }))).toEqual([
    '  done: Read the parser',
    '  in progress: Mend what it does with an empty line at the end',
    '  to do: Run the tests',
  ])
})

const folded = (entries: Turn['plan'], width = 40): string | undefined =>
  textsOf([foldedPlanLine(entries, { theme: without, width })])[0]

test('One line says how many items are done and which one is next', () => {
  expect(folded(plan)).toBe('  ◐ 1/3 Mend what it does with an empt…')
  expect(folded(plan.filter(({ status }) => status !== 'in_progress'))).toBe('  ○ 1/2 Run the tests')
  expect(folded(plan.slice(0, 1))).toBe('  ● 1/1')
  expect(folded([{ text: 'a\u001b[2J\nb', status: 'pending' }], 80)).toMatch(/^ {2}○ 0\/1 a.*b$/)
  for (const width of [1, 8, 20]) expect(folded(plan, width)?.length).toBeLessThanOrEqual(Math.max(12, width))
})

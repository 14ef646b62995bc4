/** A to-do list says of each item without colours whether it is done, in progress or to do. */
import { expect, test } from 'vitest'
import type { Turn } from '../../src/conversation/state.ts'
import { createTheme } from '../../src/style/theme.ts'
import { openPlanLines, planLines } from '../../src/transcript/plan-list.ts'
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

test('A screen reader hears each state', () => {
  const theme = createTheme(0, { isSpoken: true })
  expect(textsOf(planLines(plan, { theme, width: 80 }))).toEqual([
    '  done: Read the parser',
    '  in progress: Mend what it does with an empty line at the end',
    '  to do: Run the tests',
  ])
})

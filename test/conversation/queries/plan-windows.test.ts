/** What is known of the windows of a plan. */
import { expect, test } from 'vitest'
import {
  currentWindows,
  takesPromptsAt,
  thresholdOf,
  windowName,
} from '../../../src/conversation/queries/plan-windows.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { timed } from '../events.ts'

const hours = { id: 'five_hour', used: 0.5, resetsAt: 1000 }
const days = { id: 'seven_day', used: 1, resetsAt: 5000 }

test.each([
  [0.79, null],
  [0.8, 0.8],
  [0.94, 0.9],
  [0.95, 0.95],
  [1.2, 1],
])('a share of %d has passed %d', (used, threshold) => {
  expect(thresholdOf({ ...hours, used })).toBe(threshold)
})

test('a window that the agent calls used up has passed all thresholds', () => {
  expect(thresholdOf({ ...hours, isReached: true })).toBe(1)
})

test('what is used of a window that has reset is unknown', () => {
  expect(currentWindows([hours, days], 1000)).toEqual([days])
  const all = [hours, { ...days, resetsAt: null }]
  expect(currentWindows(all, 999)).toBe(all)
})

test('the agent takes prompts again when the last of the spent windows resets, if that is known of all', () => {
  expect(takesPromptsAt([hours, days], 0)).toBe(5000)
  expect(takesPromptsAt([{ ...hours, isReached: true }, days], 0)).toBe(5000)
  expect(takesPromptsAt([hours], 0)).toBeNull()
  expect(takesPromptsAt([days, { ...hours, used: 1, resetsAt: null }], 0)).toBeNull()
})

test('names that only the agent knows are shown as they are, in words', () => {
  expect([windowName(hours), windowName({ id: 'one_moon' }), windowName({ id: 'constructor' })]).toEqual([
    '5 hours',
    'one moon',
    'constructor',
  ])
})

test('windows stay over a restart of the same agent, and go with another one', () => {
  const events = timed([
    { type: 'agent_starting', agent: 'claude' },
    { type: 'limits_reported', windows: [hours] },
    { type: 'limits_reported', windows: [days] },
  ])
  const chat = events.reduce(reduce, initialChat)
  expect(chat.limits).toEqual([hours, days])
  expect(reduce(chat, { type: 'agent_starting', at: 9, agent: 'claude' }).limits).toEqual([hours, days])
  expect(reduce(chat, { type: 'agent_starting', at: 9, agent: 'codex' }).limits).toEqual([])
})

/** When the events of a session are played. */
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { LONGEST_WAIT, scheduleOf } from '../../src/replay/schedule.ts'

const said = (at: number): AgentEvent => ({ type: 'error_reported', at, message: `at ${at}` })
const asked = (at: number): AgentEvent => ({ type: 'prompt_sent', at, text: 'go', images: [] })

/** When each moment is due, and how much of the wait before it is left out. */
const times = (...events: AgentEvent[]) => scheduleOf(events).moments.map(({ due, leftOut }) => [due, leftOut])

test('events are played as far apart as they were, and a long wait is shortened', () => {
  expect(times(said(1000), said(1500), said(1500 + LONGEST_WAIT), said(3_601_500 + LONGEST_WAIT))).toEqual([
    [0, 0],
    [500, 0],
    [500 + LONGEST_WAIT, 0],
    [500 + 2 * LONGEST_WAIT, 3_600_000 - LONGEST_WAIT],
  ])
})

test('events of one time are one moment, and so are those that a changed clock put before it', () => {
  const { moments } = scheduleOf([said(1000), said(1000), said(400), said(1200), said(-5)])
  expect(moments.map(({ due, at, events }) => [due, at, events.length])).toEqual([
    [0, 1000, 3],
    [200, 1200, 2],
  ])
})

test('a prompt is a moment of its own, and what came before it can be shown without it', () => {
  const schedule = scheduleOf([said(1000), asked(1000), said(1000), said(1300), asked(9000)])
  expect(schedule.moments.map(({ events }) => events.map(({ type }) => type))).toEqual([
    ['error_reported'],
    ['prompt_sent', 'error_reported'],
    ['error_reported'],
    ['prompt_sent'],
  ])
  expect(schedule).toMatchObject({ ready: 0, prompts: [1, 301 + LONGEST_WAIT], length: 301 + LONGEST_WAIT })
  expect(schedule.leftOut).toBe(7700 - LONGEST_WAIT)
})

test('a session without events has no length', () => {
  expect(scheduleOf([])).toEqual({ moments: [], length: 0, leftOut: 0, prompts: [], ready: 0 })
})

const text = (at: number, words: string): AgentEvent => ({ type: 'text_received', at, text: words })

const shown = (...events: AgentEvent[]) =>
  scheduleOf(events).moments.map(({ due, events: [first] }) => [due, first?.type === 'text_received' ? first.text : ''])

test('a text that the session keeps joined grows again until the next event, character by character at most', () => {
  expect(shown(text(1000, 'abcdefghij👍k'), text(1200, 'x'), said(1210))).toEqual([
    [0, 'abc'],
    [50, 'def'],
    [100, 'ghi'],
    [150, 'j👍k'],
    [200, 'x'],
    [210, ''],
  ])
  expect(shown(text(1000, 'ab'), said(9000))).toEqual([
    [0, 'a'],
    [50, 'b'],
    [50 + LONGEST_WAIT, ''],
  ])
  const long = 'x'.repeat(20_000)
  expect(shown(text(1000, long), said(1300))).toEqual([
    [0, long],
    [300, ''],
  ])
})

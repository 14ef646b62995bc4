/** The events that tell a to-do list which the agent does not report by itself. */
import { describe, expect, test, vi } from 'vitest'
import { withPlan } from '../../../src/app/events/derive-plan.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { List } from '../../../src/conversation/list.ts'
import {
  accepted,
  chatAfter,
  calls,
  drafts,
  ended,
  prompt,
  returns,
  says,
  step,
  timed,
  type Told,
} from '../../conversation/events.ts'

const begun: readonly Told[] = [prompt('go'), accepted, step(1)]
const todos = { todos: [{ content: 'a', status: 'in_progress' }] }
const list = (...marks: readonly string[]): string => marks.map((mark, at) => `- [${mark}] item ${at}`).join('\n')

/** The events in place of the last one. */
function derived(...told: readonly Told[]): AgentEvent[] {
  const last = timed(told.slice(-1), 8000)[0]
  return last ? withPlan(chatAfter(...begun, ...told.slice(0, -1)), last) : []
}

/** A text with the list, and a call. */
const once: readonly Told[] = [says(list(' ', ' ')), calls('a', 'read')]

const kinds = (...told: readonly Told[]): string[] => derived(...told).map(({ type }) => type)

describe('a list is reported', () => {
  test('when the call that changes it has succeeded', () => {
    expect(derived(calls('a', 'TodoWrite', todos), returns('a', 'ok'))).toMatchObject([
      { type: 'plan_changed', at: 9000, entries: [{ text: 'a', status: 'in_progress' }] },
      { type: 'tool_finished' },
    ])
    expect(kinds(calls('a', 'TodoWrite', todos), returns('a', 'no', true))).toEqual(['tool_finished'])
    expect(kinds(calls('a', 'bash', todos), returns('a', list('x', ' ')))).toEqual(['tool_finished'])
  })

  test('when a text with a list that an earlier text had is followed by a call or by the end of the turn', () => {
    for (const next of [calls('b', 'read'), ended]) {
      expect(derived(...once, says('So:\n'), says(list('x', ' ')), next)).toMatchObject([
        { type: 'plan_changed', inAnswer: true, entries: [{ status: 'completed' }, { status: 'pending' }] },
        {},
      ])
    }
    expect(kinds(says('So.'), ended)).toEqual(['turn_ended'])
  })

  test('when the first of several calls begins, which were drafted behind the text', () => {
    const told = [says(list('x', ' ')), drafts('b', 'read'), drafts('c', 'read'), calls('b', 'read')]
    expect(kinds(...once, ...told)).toEqual(['plan_changed', 'tool_called'])
  })

  test('when it was written after the call was drafted, and when the call before it has only a result', () => {
    const late = [drafts('b', 'read'), says(list('x', ' ')), calls('b', 'read')]
    expect(kinds(...once, ...late)).toEqual(['plan_changed', 'tool_called'])
    const told = [says(list('x', ' ')), returns('a', 'ok'), calls('b', 'read')]
    expect(kinds(...once, ...told)).toEqual(['plan_changed', 'tool_called'])
  })

  test('when an extension shows it', () => {
    const shown: Told = { type: 'extension_displayed', extension: 'todo', text: '[x] a\n[ ] b' }
    expect(kinds(shown)).toEqual(['plan_changed', 'extension_displayed'])
    expect(withPlan(chatAfter(), timed([shown])[0] as AgentEvent)).toHaveLength(1)
  })
})

describe('a list of several turns', () => {
  const first = [says(list(' ', ' ')), ended, prompt('more'), accepted, step(1)]

  test('is reported when a later answer changes it or makes it longer', () => {
    expect(kinds(...first, says(list('x', ' ')), ended)).toEqual(['plan_changed', 'turn_ended'])
    expect(kinds(...first, says(list('x', ' ', ' ')), calls('a', 'read'))).toEqual(['plan_changed', 'tool_called'])
  })

  test('is not, if the later list is about something else, or the conversation was cleared', () => {
    expect(kinds(...first, says('- [ ] one\n- [ ] two'), ended)).toEqual(['turn_ended'])
    const cleared: Told[] = [says(list(' ', ' ')), ended, { type: 'conversation_cleared' }, prompt('more'), accepted]
    expect(kinds(...cleared, step(1), says(list('x', ' ')), ended)).toEqual(['turn_ended'])
  })
})

describe('a list is not reported', () => {
  test('when it is written once: it is a part of the answer', () => {
    for (const next of [calls('a', 'read'), ended]) expect(kinds(says(list('x', ' ')), next)).toHaveLength(1)
  })

  test('when all of it is done at first', () => {
    expect(kinds(says(list('x', 'x')), ended)).toEqual(['turn_ended'])
    const written: Told = { type: 'plan_changed', inAnswer: true, entries: [{ text: 'a', status: 'in_progress' }] }
    expect(kinds(...once, written, says(list('x', 'x')), ended)).toEqual(['plan_changed', 'turn_ended'])
  })

  const kept: Told = { type: 'plan_changed', entries: [{ text: 'a', status: 'in_progress' }] }

  test('again while nothing in it has changed', () => {
    expect(kinds(kept, calls('a', 'TodoWrite', todos), returns('a', 'ok'))).toEqual(['tool_finished'])
  })

  test('from a text while a tool of the agent keeps another one', () => {
    expect(kinds(...once, kept, says(list('x', ' ')), ended)).toEqual(['turn_ended'])
    const written: Told = { type: 'plan_changed', inAnswer: true, entries: [{ text: 'a', status: 'in_progress' }] }
    expect(kinds(...once, written, says(list('x', ' ')), ended)).toEqual(['plan_changed', 'turn_ended'])
  })
})

test.each([100, 10_000])('a call after %i others looks at few parts for a list', count => {
  const others = Array.from({ length: count }, (_, index) => calls(`c${index}`, 'read'))
  const chat = chatAfter(...begun, says('Some.'), ...others)
  const get = vi.spyOn(List.prototype, 'get')
  withPlan(chat, timed([calls('new', 'read')])[0] as AgentEvent)
  expect(get.mock.calls.length).toBeLessThan(4)
  get.mockRestore()
})

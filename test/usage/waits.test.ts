import { array, assert, nat, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createMeter, LONGEST_WAIT, recordSchema, type UsageRecord } from '../../src/usage/record.ts'
import { sumOf } from '../../src/usage/sums.ts'
import { ended, prompt, started, timed } from '../conversation/events.ts'

type By = 'user' | 'rule' | 'program' | 'end'

const asks = (id: string, at: number): AgentEvent => ({
  type: 'permission_requested',
  at,
  id,
  callId: null,
  tool: 'bash',
  kind: 'command',
  arguments: {},
  folder: '/app',
  because: '',
})
const decides = (id: string, at: number, by: By = 'user'): AgentEvent => ({
  type: 'permission_decided',
  at,
  id,
  allowed: true,
  by,
})
const questions = (id: string, at: number): AgentEvent => ({
  type: 'question_asked',
  at,
  id,
  message: '',
  fields: [],
})
const answers = (id: string, at: number): AgentEvent => ({ type: 'question_answered', at, id, answer: 'given' })

function recordsOf(...events: readonly AgentEvent[]): UsageRecord[] {
  const meter = createMeter('/app')
  return events.flatMap(event => meter.read(event, 's1'))
}

const waitsOf = (...events: readonly AgentEvent[]): number[] =>
  recordsOf(...events).flatMap(record => (record.kind === 'wait' ? [record.duration] : []))

describe('the time that an agent waits for answers', () => {
  test.each<[name: string, events: AgentEvent[], waits: number[]]>([
    ['is from a question to its answer', [questions('a', 1000), answers('a', 4000)], [3000]],
    ['is from a request to the decision', [asks('a', 1000), decides('a', 4000)], [3000]],
    ['counts until the turn ends without an answer', [asks('a', 0), decides('a', 4000, 'end')], [4000]],
    ['is not what a rule decides', [asks('a', 0), decides('a', 4000, 'rule')], []],
    ['is not what a program decides', [asks('a', 0), decides('a', 4000, 'program')], []],
    ['counts each moment once', [asks('a', 0), asks('b', 2), decides('a', 10), decides('b', 12)], [10, 2]],
    [
      'counts all of a wait around another one',
      [asks('a', 0), asks('b', 2), decides('b', 5), decides('a', 10)],
      [5, 5],
    ],
    ['does not mix a question with a request of the same id', [asks('a', 0), questions('a', 5), decides('a', 7)], [7]],
    ['is at most an hour for an answer', [asks('a', 0), decides('a', 9 * LONGEST_WAIT)], [LONGEST_WAIT]],
    ['is never negative', [asks('a', 5000), decides('a', 0)], [0]],
    ['needs a question', [decides('a', 5000)], []],
    ['begins anew with another agent', [asks('a', 0), ...timed([started], 10), decides('a', 20)], []],
  ])('%s', (_name, events, waits) => {
    expect(waitsOf(...events)).toEqual(waits)
  })

  test('is a part of the sum, with the name of the agent', () => {
    const records = recordsOf(
      ...timed([started, prompt('go')]),
      asks('a', 3000),
      decides('a', 5000),
      ...timed([ended], 9000),
    )
    expect(records.map(({ kind, agent }) => [kind, agent])).toEqual([
      ['wait', 'zot'],
      ['turn', 'zot'],
    ])
    expect(sumOf(records)).toMatchObject({ waits: 1, waited: 2000, turns: 1 })
  })

  test('is as long as the time in which something waits, however questions overlap', () => {
    const spans = array(tuple(nat(200), nat(200)), { maxLength: 12 })
    assert(
      property(spans, given => {
        const events = given.flatMap(([at, length], index) => [
          { order: 0, event: asks(String(index), at) },
          { order: 1, event: decides(String(index), at + length) },
        ])
        const inOrder = events.toSorted((a, b) => a.event.at - b.event.at || a.order - b.order)
        const waited = waitsOf(...inOrder.map(({ event }) => event)).reduce((sum, each) => sum + each, 0)
        const moments = Array.from({ length: 401 }, (_, moment) => moment)
        const busy = moments.filter(moment => given.some(([at, length]) => at <= moment && moment < at + length))
        expect(waited).toBe(busy.length)
      }),
      { numRuns: 500 },
    )
  })
})

test('a record of an earlier version, without an agent, is still read', () => {
  const old = { kind: 'turn', at: 1, session: 's', folder: '/app', provider: 'p', model: 'm', duration: 5 }
  expect(recordSchema.parse(old)).toEqual({ ...old, agent: '' })
})

import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../src/conversation/part.ts'
import { accepted, answering, chatAfter, ended, prompt, started, step, stops, type Told } from './events.ts'

const called: Told = { type: 'tool_called', id: 'a', name: 'bash', arguments: { command: 'make' } }
const requested: Told = {
  type: 'permission_requested',
  id: 'q',
  callId: 'a',
  tool: 'bash',
  kind: 'command',
  arguments: { command: 'make' },
  command: 'make',
  folder: '/x',
  because: 'the mode is ask',
}
const before = [started, prompt('go'), accepted, step(1), answering, called, stops('tool_use')]
const refused: Told = { type: 'permission_decided', id: 'q', allowed: false, by: 'user', words: 'use ninja' }
const finished: Told = { type: 'tool_finished', id: 'a', failed: true, content: [{ type: 'text', text: 'use ninja' }] }
const gone: Told = { type: 'agent_ended', code: 1, signal: null, reason: 'it fell', hint: '', expected: false }

function callAfter(...events: Told[]): Pick<ToolCall, 'state' | 'permission' | 'startedAt'> | undefined {
  return firstCall(chatAfter(...before, ...events))
}

function firstCall({ open, entries }: ReturnType<typeof chatAfter>): ToolCall | undefined {
  const turn = entries.find(entry => entry.kind === 'turn') ?? open
  return turn?.kind === 'turn' ? [...turn.parts].find(part => part.kind === 'tool') : undefined
}

test('of the refusals of calls that nobody reports only the last are kept, since each is copied with the next', () => {
  const many = Array.from({ length: 4000 }, (_, at): Told => ({
    type: 'call_refused',
    callId: `c${at}`,
    tool: 'bash',
    because: 'a rule',
  }))
  const { open } = chatAfter(started, prompt('go'), accepted, step(1), ...many)
  const kept = open?.kind === 'turn' ? [...open.earlyFacts.keys()] : []
  expect([kept.length, kept.at(-1)]).toEqual([200, 'c3999'])
})

describe('A call', () => {
  test('that is asked waits, and is among the questions', () => {
    expect(callAfter(requested)?.permission).toEqual({ state: 'asked' })
    expect(chatAfter(...before, requested).questions.map(({ id }) => id)).toEqual(['q'])
  })

  test('that is asked before the agent reports it waits, too', () => {
    const drafted: Told = { type: 'tool_drafted', id: 'a', name: 'bash' }
    const begins: Told = { type: 'tool_started', id: 'a' }
    const asked = chatAfter(started, prompt('go'), accepted, step(1), requested, answering, drafted, called, begins)
    expect(firstCall(asked)?.permission).toEqual({ state: 'asked' })

    const refusedEarly = [started, prompt('go'), accepted, step(1), requested, refused, answering, called, finished]
    expect(firstCall(chatAfter(...refusedEarly))).toMatchObject({ state: 'not_run', permission: { state: 'refused' } })
  })

  test('of a later step with the same id is not asked', () => {
    const other: Told = { ...requested, callId: 'b' }
    const sameId: Told = { type: 'tool_called', id: 'b', name: 'read', arguments: {} }
    const chat = chatAfter(
      ...before,
      finished,
      step(2),
      other,
      answering,
      stops('tool_use'),
      step(3),
      answering,
      sameId,
    )
    const calls = chat.open?.kind === 'turn' ? [...chat.open.parts].filter(part => part.kind === 'tool') : []
    expect(calls.map(({ permission }) => permission)).toEqual([undefined, undefined])
  })

  test('that was allowed counts its time from the answer', () => {
    const call = callAfter(requested, { type: 'permission_decided', id: 'q', allowed: true, by: 'user' })
    expect(call).toMatchObject({ state: 'running', permission: { state: 'allowed', by: 'user' }, startedAt: 9000 })
  })

  test('that was refused was not run, whatever its result is', () => {
    expect(callAfter(requested, refused, finished)).toMatchObject({
      state: 'not_run',
      permission: { state: 'refused', by: 'user', words: 'use ninja' },
    })
  })

  test('that a mode refused while it waited says why', () => {
    const event = { type: 'permission_decided', id: 'q', allowed: false, by: 'rule', because: 'plan mode' } as const
    expect(callAfter(requested, event)?.permission).toMatchObject({ state: 'refused', because: 'plan mode' })
  })

  test('that a rule refused says why', () => {
    expect(callAfter({ type: 'call_refused', callId: 'a', tool: 'bash', because: 'the mode is plan' })).toMatchObject({
      permission: { state: 'refused', by: 'rule', because: 'the mode is plan' },
    })
  })
})

describe('A question', () => {
  test.each([
    ['the turn', ended],
    ['the agent', gone],
    ['a new prompt', prompt('next')],
  ])('is gone with %s, and its call was not run', (_what, event) => {
    expect(chatAfter(...before, requested, event).questions).toEqual([])
    expect(callAfter(requested, event)?.state).toMatch(/not_run|aborted/)
  })

  test('that nobody knows is decided without effect', () => {
    expect(chatAfter(...before, refused)).toEqual(chatAfter(...before))
  })
})

describe('A plan', () => {
  const proposed: Told = { type: 'plan_proposed', text: '# Plan' }
  test('waits for an answer, and the answer stands in the conversation', () => {
    expect(chatAfter(started, prompt('go'), ended, proposed).plan).toBe('# Plan')
    const chat = chatAfter(started, prompt('go'), ended, proposed, {
      type: 'plan_answered',
      answer: 'accepted',
      mode: 'edits',
    })
    expect(chat.plan).toBeNull()
    expect(chat.entries.at(-1)).toMatchObject({ kind: 'notice', text: 'You accepted the plan; the mode is now edits.' })
  })

  test('is answered by another prompt, too', () => {
    expect(chatAfter(started, prompt('go'), ended, proposed, prompt('no, this')).plan).toBeNull()
  })
})

/** Events that agents report and zot does not. */
import { describe, expect, test } from 'vitest'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type ChatState, type Turn } from '../../src/conversation/state.ts'
import { calls, costs, ended, partsOf, prompt, returns, says, timed, toolOf, type Told } from './events.ts'

const chatOf = (...events: readonly Told[]): ChatState => timed([prompt('go'), ...events]).reduce(reduce, initialChat)

const turnIn = ({ entries, open }: ChatState): Turn => {
  const turn = open ?? entries.at(-1)
  if (turn?.kind !== 'turn') throw new Error('there is no turn')
  return turn
}
const thinks = (text: string): Told => ({ type: 'thought_received', text })
const shows = (text: string): Told => ({ type: 'tool_shown', id: 'a', content: [{ type: 'text', text }] })
const begins = (id: string): Told => ({ type: 'tool_started', id })

describe('another agent', () => {
  test('thinks until its first text, and then again', () => {
    const turn = turnIn(chatOf(thinks('Hm'), thinks(', so'), says('Yes'), thinks('More'), ended))
    expect(partsOf(turn)).toEqual(['thought Hm, so', '"Yes"', 'thought More'])
    expect(turn.parts.get(0)).toMatchObject({ startedAt: 2000, endedAt: 4000 })
  })

  test('runs calls side by side', () => {
    const turn = turnIn(chatOf(calls('a', 'x'), calls('b', 'y'), begins('a'), begins('b'), returns('b', 'ok')))
    expect(partsOf(turn)).toEqual(['x a running', 'y b ok'])
  })

  test('starts no call that waits when another ends', () => {
    const turn = turnIn(chatOf(calls('a', 'x'), calls('b', 'y'), begins('a'), returns('a', 'ok')))
    expect(partsOf(turn)).toEqual(['x a ok', 'y b waiting'])
  })

  test('shows the whole output of a call each time, which stays if its end says nothing', () => {
    const open = chatOf(calls('a', 'x'), begins('a'), shows('one'), shows('one two'))
    expect(toolOf(turnIn(open), 'a').progress).toBe('one two')
    const over = [calls('a', 'x'), begins('a'), shows('one'), { ...returns('a', ''), content: [] } as Told]
    expect(toolOf(turnIn(chatOf(...over)), 'a').result).toEqual([{ type: 'text', text: 'one' }])
  })

  test('costs an unknown amount, and at least what is known', () => {
    expect(chatOf(costs({ input: 1, costUsd: null })).usage.costUsd).toBeNull()
    const { usage, usageIsPartial } = chatOf(costs({ costUsd: null }), costs({ costUsd: 2 }))
    expect({ cost: usage.costUsd, usageIsPartial }).toEqual({ cost: 2, usageIsPartial: true })
  })

  test.each([
    ['its own name of the model', '', 'opus', 'model Opus 5.5'],
    ['the id of a model that it names with digits only', '', 'gpt-5', 'model gpt-5'],
    ['the id of a model that it does not list', '', 'other', 'model other'],
    ['the provider, if it tells one', 'anthropic', 'opus', 'model anthropic/opus'],
  ])('says after a switch %s', (_case, provider, model, text) => {
    const choices = [
      { value: 'opus', name: 'Opus 5.5' },
      { value: 'gpt-5', name: '5' },
    ]
    const option = { id: 'model', name: 'Model', category: 'model', kind: 'choice', value: model, choices } as const
    const chat = chatOf(
      ended,
      { type: 'options_changed', options: [{ ...option, choices: [...choices] }] },
      { type: 'model_changed', provider, model, contextWindow: null, reasoningLevels: [] },
    )
    expect(chat.entries.at(-1)).toMatchObject({ kind: 'notice', text })
  })

  test('compacts inside a turn, which goes on', () => {
    const inTurn = true as const
    const chat = chatOf({ type: 'compaction_started', inTurn }, { type: 'compaction_finished', summary: '', inTurn })
    expect(chat.open?.kind).toBe('turn')
    const summarised = chatOf(
      { type: 'compaction_started', inTurn },
      { type: 'compaction_finished', summary: 'We fixed the parser.', inTurn },
    )
    expect(turnIn(summarised).parts.get(0)).toMatchObject({ kind: 'notice', details: 'We fixed the parser.' })
  })

  test('wants a login', () => {
    const methods = [
      { id: 'a', name: 'Subscription' },
      { id: 'b', name: 'API key' },
    ]
    const chat = chatOf({ type: 'login_needed', methods })
    expect(chat.login).toEqual(methods)
  })

  test('says why its turn ended', () => {
    expect(turnIn(chatOf(says('no'), { type: 'turn_ended', stop: 'refusal' }))).toMatchObject({
      outcome: 'done',
      stopReason: 'refusal',
    })
    expect(turnIn(chatOf({ type: 'turn_ended', stop: 'cancelled' })).outcome).toBe('aborted')
  })
})

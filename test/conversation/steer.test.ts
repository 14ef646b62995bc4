/** Words to a running turn, in the conversation and in all that is read from it. */
import { describe, expect, test } from 'vitest'
import { contextUsageOf } from '../../src/conversation/queries/context-usage.ts'
import { digest } from '../../src/conversation/queries/session/digest.ts'
import { howItEnded } from '../../src/print/ending.ts'
import { describeCall } from '../../src/tools/describe-call.ts'
import {
  accepted,
  answered,
  calls,
  chatAfter,
  ended,
  prompt,
  returns,
  runsTool,
  started,
  step,
  stops,
  text,
  toolOf,
  turnOf,
  type Told,
} from './events.ts'

const delivered: Told = { type: 'steer_delivered', id: 's', text: 'use tabs', images: [] }
const steered: Told = { type: 'call_steered', id: 'a' }
const refused = returns('a', 'Not run. The user says now: use tabs', true)
const publishes = runsTool('a', 'bash', { command: 'npm publish' })

const whole: readonly Told[] = [
  started,
  prompt('format it'),
  accepted,
  step(1),
  ...publishes,
  steered,
  refused,
  delivered,
  step(2),
  answered(text('I use tabs.')),
  stops('end'),
  ended,
]

describe('a call that was held for the words of the user', () => {
  test.each<[string, readonly Told[]]>([
    ['before its result', [steered, refused]],
    ['after its result', [refused, steered]],
  ])('did not run and did not fail, if that is reported %s', (_, events) => {
    const tool = toolOf(turnOf(step(1), ...publishes, ...events), 'a')
    expect([tool.state, tool.steered]).toEqual(['not_run', true])
    expect(describeCall(tool, { now: 0 }).facts).toContainEqual({ kind: 'state', words: 'steered', tone: 'dim' })
  })

  test('changes nothing about the end of the turn', () => {
    expect(howItEnded(chatAfter(...whole), null, () => '')).toMatchObject({ outcome: 'done' })
  })

  test('can be made again with the same id', () => {
    const again = turnOf(
      step(1),
      ...publishes,
      steered,
      refused,
      delivered,
      step(2),
      calls('a', 'bash', {}),
      returns('a', 'ok'),
    )
    const states = [...again.parts].flatMap(part => (part.kind === 'tool' ? [part.state] : []))
    expect(states).toEqual(['not_run', 'ok'])
  })
})

test('an agent that gets the conversation again gets the words where they were said', () => {
  const words = digest(chatAfter(...whole), 10_000)?.text ?? ''
  const order = [
    'format it',
    'not run: the user said something first',
    'The user, while you worked:\nuse tabs',
    'I use tabs.',
  ]
  const places = order.map(each => words.indexOf(each))
  expect(places.every(place => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('a short digest of an old turn has them, too', () => {
  const later = Array.from({ length: 6 }, (_, at) => [prompt(`p${at} ${'x'.repeat(400)}`), accepted, ended]).flat()
  expect(digest(chatAfter(...whole, ...later), 1200)?.text).toContain('use tabs')
})

test('they count as prompts in the use of the window', () => {
  const without = contextUsageOf(chatAfter(...whole.filter(event => event !== delivered)), null)
  expect(contextUsageOf(chatAfter(...whole), null).parts.prompts).toBeGreaterThan(without.parts.prompts)
})

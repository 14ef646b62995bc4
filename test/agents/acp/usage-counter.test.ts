/** The tokens of each turn, from agents that count a turn, all of a session, or all since they started. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../../src/agent/event.ts'
import { noUsage } from '../../../src/conversation/state.ts'
import { createUsageCounter, type UsageCounter } from '../../../src/agents/acp/turn/usage-counter.ts'

const usage = (input: number, output: number, cacheRead = 0): Usage => ({
  ...noUsage,
  input,
  output,
  cacheRead,
  costUsd: null,
})
const sentBy = (counter: UsageCounter, reports: readonly (readonly [number, number])[]): (number | null)[] =>
  reports.map(([input, output]) => counter.count(usage(input, output))?.input ?? null)

describe('an agent whose way of counting is known', () => {
  test('as a turn: each is as it was reported', () => {
    expect(
      sentBy(createUsageCounter('turn'), [
        [10, 1],
        [20, 2],
        [40, 4],
      ]),
    ).toEqual([10, 20, 40])
  })

  test('as all since it started: each is what came since, in another session, too', () => {
    const counter = createUsageCounter('process')
    expect(
      sentBy(counter, [
        [1290, 5],
        [2580, 10],
        [5160, 20],
      ]),
    ).toEqual([1290, 1290, 2580])
    counter.opened({ isOld: false })
    expect(sentBy(counter, [[6000, 25]])).toEqual([840])
  })

  test('as all of its session: a new session begins again, and the first turn of an old one cannot be distinguished', () => {
    const counter = createUsageCounter('session')
    expect(
      sentBy(counter, [
        [100, 5],
        [300, 10],
      ]),
    ).toEqual([100, 200])
    counter.opened({ isOld: false })
    expect(sentBy(counter, [[500, 5]])).toEqual([500])
    counter.opened({ isOld: true })
    expect(
      sentBy(counter, [
        [900, 5],
        [1000, 6],
      ]),
    ).toEqual([null, 100])
  })

  test.each([false, true])(
    'as all since it opened the session: each session that it opens begins again (an old one: %s)',
    isOld => {
      const counter = createUsageCounter('opening')
      expect(
        sentBy(counter, [
          [100, 1],
          [300, 3],
        ]),
      ).toEqual([100, 200])
      counter.opened({ isOld })
      expect(
        sentBy(counter, [
          [300, 3],
          [700, 7],
        ]),
      ).toEqual([300, 400])
    },
  )

  test.each(['process', 'session', 'opening'] as const)('as all of a %s: less than before is a new count', counting => {
    expect(
      sentBy(createUsageCounter(counting), [
        [100, 5],
        [30, 2],
        [50, 3],
      ]),
    ).toEqual([100, 30, 20])
  })

  test('a turn that added nothing reports nothing', () => {
    const counter = createUsageCounter('process')
    counter.count(usage(10, 1))
    expect(counter.count(usage(10, 1))).toBeNull()
  })
})

describe('an agent whose way of counting is not known', () => {
  test('that sums is found out, and what was reported so far then adds up to its total', () => {
    const counter = createUsageCounter(null)
    const turns = [10, 11, 12, 10, 30, 15, 12, 40, 11, 25]
    let total = 0
    let told = 0
    for (const [at, input] of turns.entries()) {
      total += input
      told += counter.count(usage(total, at + 1))?.input ?? 0
    }
    expect(told).toBe(total)
  })

  test('that counts turns is never taken for one that sums, if one turn is smaller than the one before', () => {
    const amount = fc.nat(100_000)
    const turns = fc.array(fc.tuple(amount, amount), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(turns, amounts => {
        // Its second turn sends less than its first.
        const [first = [0, 0], second = [0, 0], ...rest] = amounts
        const reports = [[first[0] + second[0] + 1, first[1] + 1] as const, second, ...rest]
        expect(sentBy(createUsageCounter(null), reports).map(sent => sent ?? 0)).toEqual(
          reports.map(([input]) => input),
        )
      }),
    )
  })

  test('that sums is also found out to begin again in another session, or to go on', () => {
    const learnt = (): UsageCounter => {
      const counter = createUsageCounter(null)
      sentBy(counter, [
        [10, 1],
        [20, 2],
        [30, 3],
        [40, 4],
        [50, 5],
        [100, 6],
      ])
      counter.opened({ isOld: false })
      return counter
    }
    expect(
      sentBy(learnt(), [
        [10, 1],
        [25, 2],
      ]),
    ).toEqual([10, 15])
    expect(
      sentBy(learnt(), [
        [110, 7],
        [125, 8],
      ]),
    ).toEqual([10, 15])
  })

  test('whose context grows counts turns: each sends a little more than the one before', () => {
    const reports = Array.from({ length: 8 }, (_each, at) => [10_000 + at * 1500, 100 + at] as const)
    expect(sentBy(createUsageCounter(null), reports)).toEqual(reports.map(([input]) => input))
  })
})

import { describe, expect, test } from 'vitest'
import { costOf, priceOf } from '../../../src/agents/meerkat/prices.ts'

const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 500_000 }

describe('the cost of a model call', () => {
  test.each([
    ['each kind of token has its price', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }, 2 + 1 + 0.4 + 1.25],
    ['cached tokens without a price cost as much as others', { input: 2, output: 10 }, 2 + 1 + 4 + 1],
    ['a model may be free', { input: 0, output: 0 }, 0],
  ])('%s', (_name, price, cost) => {
    expect(costOf({ m: price }, 'm', usage)).toBeCloseTo(cost, 10)
  })

  test('is unknown, and not 0, without a price', () => {
    expect(costOf({}, 'm', usage)).toBeNull()
    expect(costOf({ other: { input: 1, output: 1 } }, 'm', usage)).toBeNull()
    expect(costOf({}, 'constructor', usage)).toBeNull()
  })
})

test('an exact name wins over patterns, and of these the first', () => {
  const [a, b, c] = [1, 2, 3].map(input => ({ input, output: 0 }))
  const prices = { 'gpt-*': a, '*': b, 'gpt-5.1': c } as Parameters<typeof priceOf>[0]
  expect(['gpt-5.1', 'gpt-5x1', 'qwen3:8b', ''].map(model => priceOf(prices, model)?.input)).toEqual([3, 1, 2, 2])
})

test.each([
  ['gpt-5.1*', 'gpt-5x1', false],
  ['*-mini', 'gpt-5-mini', true],
  ['*-mini', 'gpt-5-mini-2', false],
  ['a*b*c', 'a/b\nbc', true],
  ['a+b*', 'a+bc', true],
  ['A*', 'ab', false],
])('the pattern %s and the model %j', (pattern, model, isMatch) => {
  expect(priceOf({ [pattern]: { input: 1, output: 1 } }, model) !== null).toBe(isMatch)
})

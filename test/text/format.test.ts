import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCost,
  formatExactCost,
  formatDuration,
  formatPercent,
  formatTokens,
} from '../../src/text/format.ts'

test.each([
  [0, '0'],
  [840, '840'],
  [999, '999'],
  [1000, '1k'],
  [1234, '1.2k'],
  [12_300, '12.3k'],
  [99_949, '99.9k'],
  [99_960, '100k'],
  [123_456, '123k'],
  [999_499, '999k'],
  [999_950, '1M'],
  [1_200_000, '1.2M'],
  [2_000_000_000_000, '2000G'],
  [Number.NaN, '0'],
])('tokens %s', (count, shown) => expect(formatTokens(count)).toBe(shown))

test.each([
  [0, '0 B'],
  [840, '840 B'],
  [12_300, '12.3 kB'],
  [1_200_000, '1.2 MB'],
])('bytes %s', (count, shown) => expect(formatBytes(count)).toBe(shown))

test.each([
  [0, '0.0s'],
  [420, '0.4s'],
  [4_200, '4.2s'],
  [9_999, '9.9s'],
  [12_000, '12s'],
  [59_900, '59s'],
  [65_000, '1m05s'],
  [3_599_000, '59m59s'],
  [7_380_000, '2h03m'],
  [100 * 3_600_000, '4d04h'],
  [-5, '0.0s'],
])('duration %s', (milliseconds, shown) => expect(formatDuration(milliseconds)).toBe(shown))

test.each([
  [0, '$0.00'],
  [0.0001, '<$0.001'],
  [0.004, '$0.004'],
  [0.0213, '$0.021'],
  [0.0999, '$0.10'],
  [0.2134, '$0.21'],
  [12.4, '$12.40'],
])('cost %s', (dollars, shown) => expect(formatCost(dollars)).toBe(shown))

test.each([
  [0, '0 %'],
  [0.001, '<1 %'],
  [0.34, '34 %'],
  [0.999, '99 %'],
  [1, '100 %'],
  [1.2, '120 %'],
])('percent %s', (share, shown) => expect(formatPercent(share)).toBe(shown))

test.each([
  [0.00021, '$0.0002'],
  [0.0001, '$0.0001'],
  [0.00000042, '$0.0000004'],
  [0.0005, '$0.001'],
  [2, '$2.00'],
  [0, '$0.00'],
  [Number.NaN, '$0.00'],
])('a limit of %d dollars is %s', (dollars, shown) => {
  expect(formatExactCost(dollars)).toBe(shown)
})

import { expect, test } from 'vitest'
import { clockTime, laterTime } from '../../src/text/clock-time.ts'

const now = new Date(2026, 10, 27, 13, 5).getTime()

test.each([
  [new Date(2026, 10, 27, 14, 30), '14:30'],
  [new Date(2026, 10, 28, 0, 0), 'tomorrow 00:00'],
  [new Date(2026, 11, 1, 9, 0), 'Tuesday 09:00'],
  [new Date(2026, 11, 3, 12, 0), 'Thursday 12:00'],
  [new Date(2026, 11, 4, 12, 0), '2026-12-04 12:00'],
  [new Date(2026, 10, 27, 9, 0), '09:00'],
])('%s is %s', (at, words) => {
  expect(laterTime(at.getTime(), now)).toBe(words)
})

test('the time of the clock has two digits for the hour and the minute', () => {
  expect(clockTime(new Date(2026, 0, 1, 7, 5).getTime())).toBe('07:05')
})

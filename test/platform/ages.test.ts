import { describe, expect, test } from 'vitest'
import { createAges, createDayClock } from '../../src/platform/ages.ts'

test('an age counts from when a thing was first seen without a break, and is 0 for what was not', () => {
  let time = 100
  const ages = createAges(() => time)
  ages.see(['a'])
  time += 50
  ages.see(['a', 'b'])
  time += 50
  expect([ages.of('a'), ages.of('b'), ages.of('c')]).toEqual([100, 50, 0])
  ages.see(['b'])
  ages.see(['a', 'b'])
  expect([ages.of('a'), ages.of('b')]).toEqual([0, 50])
})

const DAY = 86_400_000

/** The clocks of a machine, its sleep, and the hand of somebody who sets the clock. */
function machine() {
  const clocks = { at: 1_700_000_000_000, ran: 5000, slept: 0 }
  const day = createDayClock({
    day: () => clocks.at,
    elapsed: () => clocks.ran,
    sinceBoot: () => clocks.ran + clocks.slept + 70_000,
  })
  return {
    day,
    at: () => clocks.at,
    pass: (time: number) => {
      clocks.at += time
      clocks.ran += time
    },
    sleep: (time: number) => {
      clocks.at += time
      clocks.slept += time
    },
    set: (by: number) => void (clocks.at += by),
  }
}

describe('the clock of the day', () => {
  test.each([DAY, -3_600_000])('goes on where somebody sets it by %i ms, until nothing is counted', by => {
    const { day, pass, set, at } = machine()
    const begun = day.now()
    pass(3000)
    set(by)
    pass(4000)
    expect(day.now() - begun).toBe(7000)
    pass(1000)
    set(-by / 2)
    expect(day.now() - begun).toBe(8000)
    day.follow()
    expect(day.now()).toBe(at())
    pass(1000)
    expect(day.now()).toBe(at())
  })

  test('counts the time for which the machine sleeps, also where the clock is set at once', () => {
    const { day, sleep, set, pass } = machine()
    const begun = day.now()
    sleep(DAY)
    expect(day.now() - begun).toBe(DAY)
    sleep(DAY)
    set(-3_600_000)
    pass(10)
    expect(day.now() - begun).toBe(2 * DAY + 10)
  })

  test('takes small corrections', () => {
    const { day, set, pass, at } = machine()
    for (let count = 0; count < 10; count += 1) {
      pass(100)
      set(-90)
      expect(day.now()).toBe(at())
    }
  })
})

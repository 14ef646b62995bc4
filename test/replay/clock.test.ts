/** The clock of a replay, by a clock that the test holds. */
import { describe, expect, test } from 'vitest'
import { createReplayControls } from '../../src/replay/controls.ts'
import { createReplayClock, type ReplayTimers } from '../../src/replay/clock.ts'

function heldTimers(): ReplayTimers & { pass: (ms: number) => void } {
  let clock = 5000
  let waiting: { at: number; run: () => void } | null = null
  return {
    now: () => clock,
    after(ms, run) {
      const own = { at: clock + ms, run }
      waiting = own
      return () => {
        if (waiting === own) waiting = null
      }
    },
    pass(ms) {
      const until = clock + ms
      while (waiting && waiting.at <= until) {
        const { at, run } = waiting
        clock = at
        waiting = null
        run()
      }
      clock = until
    },
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
}

/** Waits for one moment after the other, and notes those that came. */
function follow(moments: readonly number[], first: { speed: number; paused: boolean }) {
  const timers = heldTimers()
  const pace = createReplayClock({ ...first, timers })
  const came: number[] = []
  const go = async (): Promise<void> => {
    for (const moment of moments) {
      await pace.due(moment)
      came.push(moment)
    }
  }
  void go()
  return {
    pace,
    after: async (ms: number): Promise<number[]> => {
      await settle()
      timers.pass(ms)
      await settle()
      return came
    },
  }
}

const moments = [0, 100, 100, 250, 1000]

describe('the pace', () => {
  test.each([
    [1, 99, [0]],
    [1, 100, [0, 100, 100]],
    [2, 124, [0, 100, 100]],
    [0.5, 499, [0, 100, 100]],
    [0.5, 500, [0, 100, 100, 250]],
    [Infinity, 0, moments],
  ])('at speed %d, %d ms later', async (speed, ms, came) => {
    const { after } = follow(moments, { speed, paused: false })
    let passed = 0
    // In steps, since what comes sets the next timer.
    for (; passed < ms; passed += 1) await after(1)
    expect(await after(0)).toEqual(came)
  })

  test('pauses, takes a step and resumes', async () => {
    const { pace, after } = follow(moments, { speed: 1, paused: true })
    expect(await after(5000)).toEqual([0])
    pace.step()
    expect(await after(5000)).toEqual([0, 100, 100])
    expect(pace.position()).toBe(100)
    pace.toggle()
    expect(await after(149)).toEqual([0, 100, 100])
    pace.toggle()
    expect(await after(5000)).toEqual([0, 100, 100])
    pace.toggle()
    expect(await after(1)).toEqual([0, 100, 100, 250])
  })

  test('jumps to a moment and continues from its time', async () => {
    const { pace, after } = follow(moments, { speed: 1, paused: true })
    await after(0)
    pace.skipTo(300)
    expect(await after(0)).toEqual([0, 100, 100, 250])
    expect(pace.position()).toBe(300)
  })

  test('applies a change of speed from the current position', async () => {
    const { pace, after } = follow(moments, { speed: 1, paused: false })
    await after(100)
    await after(50)
    pace.setSpeed(10)
    expect(pace.position()).toBe(150)
    expect(await after(10)).toEqual([0, 100, 100, 250])
  })
})

test('keys control the replay', async () => {
  const { pace, after } = follow(moments, { speed: 1, paused: true })
  await after(0)
  let left = 0
  const controls = createReplayControls(pace, { length: 1000, prompts: [0, 240] }, () => (left += 1))
  expect(controls.status()).toMatch(/^Paused at 0\.0s of 1\.0s/)
  expect(controls.press('x')).toBe(false)
  for (const key of ['+', '+', '-', 'n', ' ']) expect(controls.press(key)).toBe(true)
  expect(pace.position()).toBe(240)
  expect(controls.status()).toBe('0.2s of 1.0s, 2x')
  controls.press('end')
  expect(await after(0)).toEqual(moments)
  expect(controls.status()).toMatch(/^End of the replay\. q quits/)
  controls.press('q')
  controls.press('ctrl+c')
  expect(left).toBe(2)
})

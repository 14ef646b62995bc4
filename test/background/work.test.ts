/** Until when a process in the background is needed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BackgroundWork } from '../../src/background/work.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** One whose prompt is over, and whether it has ended. */
function staying(): { work: BackgroundWork; isOver: () => Promise<boolean> } {
  const work = new BackgroundWork({ isAwaited: false })
  work.follow({ hasTurn: true, hasTasks: true, hasPrompts: false })
  let isOver = false
  void work.stay().then(() => (isOver = true))
  return {
    work,
    async isOver() {
      await vi.advanceTimersByTimeAsync(0)
      return isOver
    },
  }
}

test('it stays while the agent is in a turn that it began itself', async () => {
  const { work, isOver } = staying()
  work.follow({ hasTurn: true, hasTasks: false, hasPrompts: false })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await isOver()).toBe(false)
  work.follow({ hasTurn: false, hasTasks: false, hasPrompts: false })
  expect(await isOver()).toBe(true)
})

test('it stays while something runs in the background, and for a turn about its end', async () => {
  const { work, isOver } = staying()
  work.follow({ hasTurn: false, hasTasks: true, hasPrompts: false })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await isOver()).toBe(false)
  work.follow({ hasTurn: false, hasTasks: false, hasPrompts: false })
  await vi.advanceTimersByTimeAsync(5000)
  work.follow({ hasTurn: true, hasTasks: false, hasPrompts: false })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await isOver()).toBe(false)
  work.follow({ hasTurn: false, hasTasks: false, hasPrompts: false })
  expect(await isOver()).toBe(true)
})

test('it ends a while after the last task if no turn comes', async () => {
  const { work, isOver } = staying()
  work.follow({ hasTurn: false, hasTasks: true, hasPrompts: false })
  work.follow({ hasTurn: false, hasTasks: false, hasPrompts: false })
  expect(await isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await isOver()).toBe(true)
})

/** The checkpoints around turns. */
import { expect, test, vi } from 'vitest'
import type { Checkpoints } from '../../../src/checkpoints/checkpoints.ts'
import { startedStage } from '../stage.ts'

const refused = async () => ({ ok: false, why: '' }) as const

test('what the agent changes in the first turn is not the user’s because the program has just started', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const made: string[] = []
    const make: Checkpoints['make'] = async ({ by, label }) => {
      made.push(`${by}: ${label}`)
      return { ok: false, why: '' }
    }
    const others = { list: refused, preview: refused, restore: refused, lastUndo: refused, diff: refused }
    const stage = await startedStage(undefined, { checkpoints: { ...others, make, prune: refused } })
    await stage.say('go')
    vi.advanceTimersByTime(500)
    await stage.settle()
    await stage.done()
    expect(made).toEqual(['user: go', 'agent: The turn ended'])
  } finally {
    vi.useRealTimers()
  }
})

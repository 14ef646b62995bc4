/** The times of what works beside an idle agent move by themselves, unless the user wants no motion. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EventOf } from '../../../src/agent/event.ts'
import { unsavedSettings } from '../../../src/config/settings.ts'
import { startedStage, type Stage } from '../stage.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type Facts = Omit<EventOf<'task_reported'>, 'type' | 'at' | 'id'>

async function besideOf(facts: Facts, settings: Parameters<typeof unsavedSettings>[0] = {}): Promise<Stage> {
  const stage = await startedStage(undefined, { settings: unsavedSettings(settings) })
  stage.backend.tell({ type: 'task_reported', id: 'a', state: 'running', ...facts })
  vi.advanceTimersByTime(100)
  await stage.settle()
  return stage
}

/** Whether the screen has the new time after so many milliseconds without an event. */
function moves(stage: Stage, milliseconds: number): boolean {
  stage.clock.now += milliseconds
  vi.advanceTimersByTime(milliseconds)
  return stage.state().now === stage.clock.now
}

test('the time of a command in the background moves every five seconds', async () => {
  expect(moves(await besideOf({ kind: 'command', name: 'npm test' }), 5000)).toBe(true)
})

test('without motion it stands still', async () => {
  expect(moves(await besideOf({ kind: 'command', name: 'npm test' }, { reducedMotion: true }), 60_000)).toBe(false)
})

test('a wake-up alone moves nothing, and counts down in the list', async () => {
  const stage = await besideOf({ kind: 'wakeup', name: 'look again', dueAt: 200_000 })
  expect(moves(stage, 10_000)).toBe(false)
  await stage.say('/running')
  expect(stage.state().picker?.kind).toBe('running')
  stage.backend.tell({ type: 'activity_told', text: '' })
  vi.advanceTimersByTime(100)
  expect(moves(stage, 1000)).toBe(true)
})

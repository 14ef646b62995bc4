/** The checkpoints around turns. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Checkpoints } from '../../../src/checkpoints/checkpoints.ts'
import { startedStage } from '../stage.ts'

const refused = async () => ({ ok: false, why: '' }) as const

/** Checkpoints that only note what is asked of them. */
function noted(): { asked: string[]; checkpoints: Checkpoints } {
  const asked: string[] = []
  const note = (words: string) => {
    asked.push(words)
    return refused()
  }
  const checkpoints: Checkpoints = {
    read: () => note('read'),
    make: ({ by, label }) => note(`${by}: ${label}`),
    list: refused,
    preview: refused,
    restore: refused,
    lastUndo: refused,
    diff: refused,
    prune: () => note('prune'),
  }
  return { asked, checkpoints }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('what the agent changes in the first turn is not the user’s because the program has just started', async () => {
  const { asked, checkpoints } = noted()
  const stage = await startedStage(undefined, { checkpoints })
  await stage.say('go')
  vi.advanceTimersByTime(500)
  await stage.settle()
  await stage.done()
  expect(asked).toEqual(['user: Before: go', 'agent: After: go', 'prune'])
})

test('a start reads the files, and keeps and removes nothing before there is a prompt', async () => {
  const { asked, checkpoints } = noted()
  const stage = await startedStage(undefined, { checkpoints })
  vi.advanceTimersByTime(500)
  await stage.settle()
  expect(asked).toEqual(['read'])
})

test('an opened folder that cannot be saved is said once, and is asked for with the project', async () => {
  const { checkpoints } = noted()
  const asked: unknown[] = []
  const made = {
    version: 1 as const,
    at: 0,
    modes: {},
    left: [] as string[],
    rules: '',
    restored: null,
    id: 'id',
    tree: '',
  }
  checkpoints.make = async ({ folders, ...moment }) => {
    asked.push(folders)
    return { ok: true, value: { ...made, ...moment, unsaved: [{ folder: '/big', why: 'there are too many files' }] } }
  }
  const stage = await startedStage(undefined, { checkpoints })
  stage.backend.tell({ type: 'folders_changed', folders: ['/big'] })
  await stage.say('go')
  await stage.settle()
  await stage.done()
  expect(asked).toEqual([['/big'], ['/big']])
  const said = JSON.stringify(stage.state().chat.entries).split(
    'Files in /big are not saved before your prompts: there are too many',
  )
  expect(said).toHaveLength(2)
})

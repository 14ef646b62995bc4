/** Turns that the agent begins itself, as the program takes them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Checkpoints } from '../../../src/checkpoints/checkpoints.ts'
import { unsavedSettings } from '../../../src/config/settings.ts'
import {
  answered,
  calls,
  costs,
  ended,
  returns,
  says,
  step,
  stops,
  text,
  type Told,
} from '../../conversation/events.ts'
import { queueOf, startedStage, type Stage } from '../stage.ts'

const begun: Told = { type: 'turn_begun', cause: 'task', about: 'npm test ended' }
const finishes: readonly Told[] = [step(1), says('All passed.'), answered(text('All passed.')), stops('end'), ended]

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** The agent tells these events, and a frame shows them. */
async function tells({ backend, settle }: Stage, ...events: readonly Told[]): Promise<void> {
  backend.tell(...events)
  vi.advanceTimersByTime(100)
  await settle()
}

const answersOf = ({ state }: Stage): string[] => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.choices.map(({ label }) => label) : []
}

test('a prompt that is sent meanwhile waits, and goes out when the turn is over', async () => {
  const stage = await startedStage()
  await tells(stage, begun)
  await stage.say('what next?')
  expect([stage.asked(), queueOf(stage.state()).entries]).toEqual([[], ['what next?']])
  await tells(stage, ...finishes)
  expect(stage.asked()).toEqual(['prompt what next?'])
})

test('Escape stops it', async () => {
  const stage = await startedStage()
  await tells(stage, begun, step(1))
  await stage.press('escape')
  expect(stage.asked()).toEqual(['abort'])
  await tells(stage, ended)
  expect(stage.entries()).toEqual([': aborted'])
})

test('a prompt during it waits in a paused queue if it was stopped', async () => {
  const stage = await startedStage()
  await tells(stage, begun, step(1))
  await stage.say('later')
  await stage.press('escape')
  await tells(stage, ended)
  expect(queueOf(stage.state())).toEqual({ entries: ['later'], paused: true })
})

test('/retry sends the last prompt, not the turn after it', async () => {
  const stage = await startedStage()
  await tells(stage, begun, ...finishes)
  await stage.say('/retry')
  expect(stage.asked()).toEqual([])
  expect(stage.entries().at(-1)).toContain('There is no prompt to send again yet.')
  await stage.say('one')
  await stage.done()
  await tells(stage, begun, ...finishes)
  stage.asked()
  await stage.say('/retry')
  expect(stage.asked()).toEqual(['prompt one'])
})

const limited = () => startedStage(undefined, { settings: unsavedSettings({ maxCostUsd: 1 }) })
const spends = costs({ costUsd: 2 })

test('where the cost limit is reached already, it is stopped at its beginning, and the limit is asked about', async () => {
  const stage = await limited()
  await stage.say('one')
  await tells(stage, spends)
  await stage.done()
  await stage.press('escape')
  stage.asked()
  await tells(stage, begun)
  expect(stage.asked()).toEqual(['abort'])
  expect(answersOf(stage)).toEqual([])
  await tells(stage, ended)
  expect(answersOf(stage)[0]).toContain('raise it to')
})

test('where it reaches the limit, it is stopped before its next step, and goes on if the limit is raised', async () => {
  const stage = await limited()
  await tells(stage, begun, step(1), spends, step(2))
  expect(stage.asked()).toEqual(['abort'])
  await tells(stage, ended)
  await stage.press('enter')
  expect(stage.asked()).toEqual(['prompt Continue where you stopped.'])
})

const refused = async () => ({ ok: false, why: '' }) as const

function noted(id: string): { asked: string[]; checkpoints: Checkpoints } {
  const asked: string[] = []
  const make: Checkpoints['make'] = async ({ by, label }) => {
    asked.push(`${by}: ${label}`)
    const rest = { version: 1, at: 0, session: null, modes: {}, left: [], rules: '', restored: null } as const
    return { ok: true, value: { ...rest, tree: '', id, by, label, left: [] } }
  }
  const others = { read: refused, list: refused, preview: refused, restore: refused, lastUndo: refused, diff: refused }
  return { asked, checkpoints: { make, ...others, prune: refused } }
}

test('the files are kept when it begins, and what it changed after it', async () => {
  const { asked, checkpoints } = noted('c1')
  const stage = await startedStage(undefined, { checkpoints })
  await tells(stage, begun)
  expect(stage.state().chat.open).toMatchObject({ checkpoint: 'c1' })
  await tells(stage, ...finishes)
  expect(asked).toEqual([
    'user: Before: The agent went on by itself: npm test ended',
    'agent: After: The agent went on by itself: npm test ended',
  ])
})

test('files that a call may have changed by then are not kept as those before it', async () => {
  const { checkpoints } = noted('c1')
  const stage = await startedStage(undefined, { checkpoints })
  await tells(stage, begun, step(1), calls('c', 'bash'), { type: 'tool_started', id: 'c' })
  expect(stage.state().chat.open).toMatchObject({ checkpoint: null })
  await tells(stage, returns('c', 'ok'), ended)
  expect(stage.state().chat.entries.at(-1)).toMatchObject({ checkpoint: null })
})

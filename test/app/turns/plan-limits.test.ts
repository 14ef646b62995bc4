/** The limits of the user's plan: warnings, and what becomes of a prompt that a limit refuses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LimitWindow } from '../../../src/agent/session-events.ts'
import { accepted, ended, fails, step, stops, type Told } from '../../conversation/events.ts'
import { queueOf, startedStage, type Stage } from '../stage.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const HOUR = 3_600_000
const window = (used: number, resetsAt: number | null = HOUR): LimitWindow => ({ id: 'five_hour', used, resetsAt })
const reports = (...windows: LimitWindow[]): Told => ({ type: 'limits_reported', windows })
const overLimit: Told = { type: 'error_reported', message: 'You have reached your limit.', isOverLimit: true }

async function tells({ backend, settle }: Stage, ...events: readonly Told[]): Promise<void> {
  backend.tell(...events)
  vi.advanceTimersByTime(100)
  await settle()
}

/** The limit refuses the prompt. */
async function refused(stage: Stage, ...before: readonly Told[]): Promise<void> {
  stage.backend.end(...before, accepted, step(1), stops('error'), overLimit, ended)
  await stage.settle()
}

/** So much time passes, which the timers see in the steps in which they look at the clock. */
async function passes({ clock, settle }: Stage, milliseconds: number): Promise<void> {
  clock.now += milliseconds
  vi.advanceTimersByTime(30_000)
  await settle()
}

const warnings = ({ entries }: Stage): string[] => entries().filter(line => line.includes('of your plan'))
const answers = ({ state }: Stage): string[] => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.choices.map(({ label }) => label.replace(/\d\d:\d\d/, '14:30')) : []
}

test('there is one warning for each threshold of a window, until it resets', async () => {
  const stage = await startedStage()
  for (const used of [0.5, 0.83, 0.84, 0.9, 0.83, 0.96, 1, 1]) await tells(stage, reports(window(used)))
  expect(warnings(stage).map(line => /\d+ ?%/.exec(line)?.[0])).toEqual(['83 %', '90 %', '96 %', '100 %'])
  await tells(stage, reports(window(0.85, 6 * HOUR)))
  expect(warnings(stage)).toHaveLength(5)
})

test('an unknown time is not shown, and no escape sequence of a name', async () => {
  const stage = await startedStage()
  await tells(stage, reports({ id: '\u001b[2Jmoon', used: 0.9, resetsAt: null }))
  expect(warnings(stage)[0]).toMatch(/^note 90 % of your plan for .*moon is used\.$/)
  expect(warnings(stage)[0]).not.toContain('\u001b')
})

test('with the limit reached the prompt can be sent when it resets, and is sent then', async () => {
  const stage = await startedStage()
  await stage.say('fix it')
  await refused(stage, reports(window(1)))
  expect(answers(stage)).toEqual(['send it 14:30', 'keep it', 'another model', 'edit the prompt'])
  await stage.press('enter')
  expect(queueOf(stage.state())).toEqual({ entries: ['fix it'], paused: true })
  expect(stage.state().limitWait).toMatchObject({ at: HOUR, sends: true })
  stage.asked()
  await passes(stage, HOUR / 2)
  expect(stage.asked()).toEqual([])
  await passes(stage, HOUR)
  expect(stage.asked()).toEqual(['prompt fix it'])
  expect(stage.state().limitWait).toBeNull()
})

test('a prompt that was kept is not sent by itself: a hint says that the limit has reset', async () => {
  const stage = await startedStage()
  await stage.say('fix it')
  await refused(stage, reports(window(1)))
  await stage.press('down')
  await stage.press('enter')
  stage.asked()
  await passes(stage, 2 * HOUR)
  expect(stage.asked()).toEqual([])
  expect(stage.state().hint).toContain('The limit has reset: /retry sends the prompt again.')
  expect(stage.state().limitWait).toMatchObject({ isOver: true })
})

test('another prompt, a cleared conversation and another agent make it obsolete', async () => {
  for (const how of ['/clear', 'something else', '/restart']) {
    const stage = await startedStage()
    await stage.say('fix it')
    await refused(stage, reports(window(1)))
    await stage.press('escape')
    await stage.say(how)
    expect([how, stage.state().limitWait]).toEqual([how, null])
  }
})

test('nothing is sent later that was taken out of the queue', async () => {
  const stage = await startedStage()
  await stage.say('fix it')
  await refused(stage, reports(window(1)))
  await stage.press('enter')
  await stage.press('up')
  await stage.press('ctrl+u')
  await stage.press('enter')
  stage.asked()
  await passes(stage, 2 * HOUR)
  expect(stage.asked()).toEqual([])
})

test('where the time is unknown, the prompt is kept and no time is offered', async () => {
  const stage = await startedStage()
  await stage.say('fix it')
  await refused(stage)
  expect(answers(stage)).toEqual(['keep it', 'another model', 'edit the prompt'])
  expect(stage.state().limitWait).toBeNull()
  await stage.press('enter')
  await stage.say('/retry')
  expect(stage.backend.prompts.map(({ text }) => text)).toEqual(['fix it', 'fix it'])
})

test('an error that is no limit offers no time', async () => {
  const stage = await startedStage()
  await stage.say('fix it')
  stage.backend.end(reports(window(1)), accepted, step(1), stops('error'), fails('http 529: overloaded'), ended)
  await stage.settle()
  expect(answers(stage)[0]).toBe('retry')
  expect(stage.state().limitWait).toBeNull()
})

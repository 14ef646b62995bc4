/** The clock of the screen, with and without motion. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClock } from '../../../src/app/events/clock.ts'
import { silenceAt, silentFor } from '../../../src/conversation/queries/silence.ts'
import { accepted, answering, calls, fold, prompt, step, timed, type Told } from '../../conversation/events.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const chatOf = (...events: readonly Told[]) => fold(timed([prompt('go'), accepted, step(1), ...events]))

test('Without motion nothing ticks, but a silence of twenty seconds is shown at its time', () => {
  const chat = chatOf(answering)
  const ticks: number[] = []
  const clock = createClock({
    now: Date.now,
    shown: () => 0,
    isMoving: () => false,
    changesAt: () => silenceAt(chat, 5000, Date.now()),
    onTick: () => ticks.push(Date.now()),
  })
  clock.follow()
  vi.advanceTimersByTime(60_000)
  expect(ticks).toEqual([25_000])
  expect(silentFor(chat, 5000, 24_999)).toBeNull()
  expect(silentFor(chat, 5000, 25_000)).toBe(20_000)
})

test('Without motion the wait for the model is shown at its time, and then the silence', () => {
  const chat = fold(timed([prompt('go'), accepted]))
  const began = chat.open?.kind === 'turn' ? (chat.open.askedModelAt ?? 0) : 0
  const ticks: number[] = []
  const changesAt = (): number | null => silenceAt(chat, began, Date.now())
  const onTick = (): void => void ticks.push(Date.now() - began)
  const clock = createClock({ now: Date.now, shown: () => 0, isMoving: () => false, changesAt, onTick })
  vi.setSystemTime(began)
  clock.follow()
  vi.advanceTimersByTime(60_000)
  expect(ticks).toEqual([3000, 20_000])
})

test('A word of the agent puts it off, and stopping the clock ends the wait', () => {
  const chat = chatOf(answering)
  let heardAt = 5000
  const onTick = vi.fn<() => void>()
  const changesAt = (): number | null => silenceAt(chat, heardAt, Date.now())
  const clock = createClock({ now: Date.now, shown: () => 0, isMoving: () => false, changesAt, onTick })
  clock.follow()
  vi.advanceTimersByTime(20_000)
  heardAt = 20_000
  clock.follow()
  vi.advanceTimersByTime(19_000)
  expect(onTick).not.toHaveBeenCalled()
  clock.stop()
  vi.advanceTimersByTime(60_000)
  expect(onTick).not.toHaveBeenCalled()
})

test('A running call does not count as silence', () => {
  const chat = chatOf(calls('a', 'bash', { command: 'sleep 60' }), { type: 'tool_started', id: 'a' })
  expect(silenceAt(chat, 5000, 6000)).toBeNull()
})

import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createEventBatcher, UNSEEN_FRAME } from '../../../src/app/events/batcher.ts'
import { FRAME } from '../../../src/platform/pace.ts'
import { anyEvents, conversation } from '../../conversation/arbitrary-events.ts'
import { drafts, ended, chatOf, prints, says, timed, writes } from '../../conversation/events.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Frames as lists of what they hold: texts by their words, others by their type. */
function watch(): { batcher: string[][]; push: (events: readonly AgentEvent[]) => void; flush: () => void } {
  const batcher: string[][] = []
  const gathering = createEventBatcher(events => {
    batcher.push(events.map(event => ('text' in event ? event.text : event.type)))
  })
  return { batcher, push: events => events.forEach(gathering.push), flush: gathering.flush }
}

test('an event after a pause is delivered at once', () => {
  const { batcher, push } = watch()
  push(timed([says('Hel')]))
  expect(batcher).toEqual([['Hel']])
})

test('followers get each frame after it was delivered, in the order in which they subscribed', () => {
  const heard: string[] = []
  const batcher = createEventBatcher(() => heard.push('delivered'))
  for (const name of ['first', 'second']) batcher.subscribe(events => heard.push(`${name} ${events.length}`))
  timed([says('a')]).forEach(batcher.push)
  expect(heard).toEqual(['delivered', 'first 1', 'second 1'])
})

test('events within a frame are delivered together at its end, with adjacent pieces of text joined', () => {
  const { batcher, push } = watch()
  push(timed([says('a'), says('b'), says('c'), ended, says('d')]))
  expect(batcher).toEqual([['a']])
  vi.advanceTimersByTime(FRAME)
  expect(batcher).toEqual([['a'], ['bc', 'turn_ended', 'd']])
})

test('a stop is delivered at once while text comes, with the text before it', () => {
  const { batcher, push } = watch()
  push(timed([says('a'), says('b'), says('c'), { type: 'abort_requested' }]))
  expect(batcher).toEqual([['a'], ['bc', 'abort_requested']])
  push(timed([says('d')]))
  expect(batcher).toHaveLength(2)
  vi.advanceTimersByTime(FRAME)
  expect(batcher.at(-1)).toEqual(['d'])
})

test('events of one read are delivered at once after a pause, all of them', async () => {
  const { batcher, push } = watch()
  push(timed([says('a'), says('b'), ended, says('c')]))
  await Promise.resolve()
  expect(batcher).toEqual([['a'], ['b', 'turn_ended', 'c']])
  push(timed([says('d')]))
  await Promise.resolve()
  expect(batcher).toHaveLength(2)
  vi.advanceTimersByTime(FRAME)
  expect(batcher.at(-1)).toEqual(['d'])
})

test('text waits longer in a hidden conversation, and any other event delivers it at once', () => {
  let isShown = false
  const frames: string[][] = []
  const batcher = createEventBatcher(
    events => void frames.push(events.map(event => ('text' in event ? event.text : event.type))),
    () => isShown,
  )
  const push = (events: readonly AgentEvent[]): void => events.forEach(batcher.push)
  push(timed([says('a')]))
  vi.advanceTimersByTime(UNSEEN_FRAME - 1)
  push(timed([says('b')]))
  expect(frames).toEqual([])
  vi.advanceTimersByTime(1)
  expect(frames).toEqual([['ab']])
  push(timed([says('c'), ended]))
  expect(frames).toEqual([['ab'], ['c', 'turn_ended']])
  vi.advanceTimersByTime(FRAME)
  push(timed([says('d')]))
  isShown = true
  push(timed([says('e')]))
  expect(frames.at(-1)).toEqual(['de'])
  vi.advanceTimersByTime(UNSEEN_FRAME)
  expect(frames).toHaveLength(3)
})

test('pieces of output are joined within a tool, but not across tools', () => {
  const { batcher, push } = watch()
  push(
    timed([
      ended,
      prints('a', '1'),
      prints('a', '2'),
      prints('b', '3'),
      writes('b', '4'),
      writes('b', '5'),
      writes('c', '6'),
    ]),
  )
  vi.advanceTimersByTime(FRAME)
  expect(batcher.at(-1)).toEqual(['12', '3', '45', '6'])
})

test('a stream is delivered once a frame, and never later', () => {
  const { batcher, push } = watch()
  for (let time = 0; time < 10 * FRAME; time += 1) {
    push(timed([says('x')]))
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(FRAME)
  expect(batcher.flat().join('')).toHaveLength(10 * FRAME)
  expect(batcher.length).toBeGreaterThanOrEqual(10)
  expect(batcher.length).toBeLessThanOrEqual(12)
})

test('a source that is read once a frame is delivered at once, whenever its reads come', async () => {
  for (const offset of [1, 10, 20, FRAME - 1]) {
    const { batcher, push } = watch()
    push(timed([says('x')]))
    vi.advanceTimersByTime(offset)
    const read = (): void => push(timed([says('a'), says('b')]))
    read()
    vi.advanceTimersByTime(FRAME)
    for (let turn = 0; turn < 5; turn += 1) {
      read()
      await vi.advanceTimersByTimeAsync(1)
      expect(batcher.flat().join('')).toBe(`x${'ab'.repeat(turn + 2)}`)
      vi.advanceTimersByTime(FRAME - 1)
    }
  }
})

test('a source whose pieces come more often than frames gets no frame for each', () => {
  for (const gap of [17, 20, 25]) {
    const { batcher, push } = watch()
    for (let time = 0; time < 2000; time += gap) {
      push(timed([says('x')]))
      vi.advanceTimersByTime(gap)
    }
    expect(batcher.length).toBeLessThan((1.25 * 2000) / FRAME)
  }
})

test('no timer runs without events', () => {
  const { push } = watch()
  push(timed([says('a'), says('b')]))
  vi.advanceTimersByTime(10 * FRAME)
  expect(vi.getTimerCount()).toBe(0)
})

test('a flush delivers at once, and nothing twice', () => {
  const { batcher, push, flush } = watch()
  push(timed([says('a'), drafts('t', 'bash')]))
  flush()
  flush()
  vi.advanceTimersByTime(10 * FRAME)
  expect(batcher).toEqual([['a'], ['tool_drafted']])
})

test('events give the same conversation, however they are batched', () => {
  const pauses = fc.array(fc.constantFrom(0, 0, 0, 1, 10, FRAME, 2 * FRAME), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.oneof(anyEvents, conversation), pauses, (told, waits) => {
      const events = timed(told)
      const delivered: AgentEvent[] = []
      const batcher = createEventBatcher(batch => delivered.push(...batch))
      for (const [index, event] of events.entries()) {
        batcher.push(event)
        vi.advanceTimersByTime(waits[index % waits.length] ?? 0)
      }
      batcher.flush()
      expect(chatOf(delivered)).toEqual(chatOf(events))
    }),
  )
})

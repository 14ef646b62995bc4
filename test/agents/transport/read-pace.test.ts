import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadPace } from '../../../src/agents/transport/read-pace.ts'
import { FRAME } from '../../../src/platform/pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** The property in which Node keeps a stream's pipe. */
const HANDLE = '_handle'

/** A pipe that an agent writes to. */
function open(): { read: (bytes: number) => void; pass: (ms: number) => void; calls: string[]; end: () => void } {
  const calls: string[] = []
  const pipe = { readStart: () => calls.push('start'), readStop: () => calls.push('stop') }
  const stream: Record<string, object | null> = { [HANDLE]: pipe }
  return {
    calls,
    read: createReadPace(stream),
    pass: ms => void vi.advanceTimersByTime(ms),
    end: () => void (stream[HANDLE] = null),
  }
}

/** Reads pieces with a pause before each. */
function reads({ read, pass }: ReturnType<typeof open>, count: number, bytes = 100, pause = 5): void {
  for (let index = 0; index < count; index += 1) {
    pass(pause)
    read(bytes)
  }
}

test('a stream of small pieces is read once a frame', () => {
  const pipe = open()
  reads(pipe, 17)
  expect(pipe.calls).toEqual(['stop'])
  pipe.pass(FRAME - 1)
  expect(pipe.calls).toEqual(['stop'])
  pipe.pass(1)
  expect(pipe.calls).toEqual(['stop', 'start'])
  reads(pipe, 1, 600, 0)
  expect(pipe.calls).toEqual(['stop', 'start', 'stop'])
})

test('what is no stream is read as it comes: pieces with pauses, few pieces, large pieces', () => {
  const pipe = open()
  reads(pipe, 100, 100, FRAME)
  reads(pipe, 15)
  reads(pipe, 100, 64 * 1024)
  expect(pipe.calls).toEqual([])
})

test('a stream ends with a pause: the next piece is read as it comes', () => {
  const pipe = open()
  reads(pipe, 17)
  pipe.pass(3 * FRAME)
  reads(pipe, 16)
  expect(pipe.calls).toEqual(['stop', 'start'])
})

test('a pipe that has ended is not read again', () => {
  const pipe = open()
  reads(pipe, 17)
  pipe.end()
  pipe.pass(FRAME)
  expect(pipe.calls).toEqual(['stop'])
})

test('without the functions of a pipe each piece is read as it comes', () => {
  const read = createReadPace({})
  expect(() => Array.from({ length: 50 }, () => read(100))).not.toThrow()
})

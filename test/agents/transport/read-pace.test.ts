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
function open() {
  const calls: string[] = []
  const pipe = { readStart: () => calls.push('start'), readStop: () => calls.push('stop') }
  const stream: Record<string, object | null> = { [HANDLE]: pipe }
  const { follow, hurry } = createReadPace(stream)
  return {
    calls,
    hurry,
    read: follow,
    pass: (ms: number) => void vi.advanceTimersByTime(ms),
    end: () => void (stream[HANDLE] = null),
  }
}

const piece = Buffer.from('{"type":"text_delta"}\n')

/** Reads a chunk several times, with a pause before each. */
function reads({ read, pass }: ReturnType<typeof open>, count: number, chunk: Buffer = piece, pause = 5): void {
  for (let index = 0; index < count; index += 1) {
    pass(pause)
    read(chunk)
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
  reads(pipe, 1, Buffer.concat(Array.from({ length: 7 }, () => piece)), 0)
  expect(pipe.calls).toEqual(['stop', 'start', 'stop'])
})

test.each([
  ['pieces with pauses', piece, 100, FRAME],
  ['a few pieces', piece, 15, 5],
  ['large pieces', Buffer.alloc(64 * 1024, 'x'), 100, 5],
  ['many lines at once', Buffer.alloc(128, '\n'), 100, 5],
])('%s are read as they come', (_name, chunk, count, pause) => {
  const pipe = open()
  reads(pipe, count, chunk, pause)
  expect(pipe.calls).toEqual([])
})

test('an agent that writes fast is not waited for again for a while', () => {
  const pipe = open()
  reads(pipe, 17)
  pipe.pass(FRAME)
  reads(pipe, 1, Buffer.alloc(128, '\n'), 0)
  reads(pipe, 200, piece, 1)
  expect(pipe.calls).toEqual(['stop', 'start'])
  reads(pipe, 100, piece, 1)
  expect(pipe.calls).toEqual(['stop', 'start', 'stop', 'start', 'stop'].slice(0, pipe.calls.length))
  expect(pipe.calls.length).toBeGreaterThan(2)
})

test('what may be an answer is read at once', () => {
  const pipe = open()
  reads(pipe, 17)
  pipe.hurry()
  expect(pipe.calls).toEqual(['stop', 'start'])
  reads(pipe, 15)
  pipe.hurry()
  reads(pipe, 15)
  pipe.pass(FRAME)
  expect(pipe.calls).toEqual(['stop', 'start'])
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
  const { follow } = createReadPace({})
  expect(() => Array.from({ length: 50 }, () => follow(piece))).not.toThrow()
})

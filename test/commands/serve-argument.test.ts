import { describe, expect, test } from 'vitest'
import { readServeArgument } from '../../src/commands/program/serve/serve-argument.ts'

const none = { ok: true, isOff: false, at: null, port: null } as const

describe('the argument of /serve', () => {
  test.each([
    ['', none],
    ['off', { ...none, isOff: true }],
    ['https://a.example', { ...none, at: 'https://a.example' }],
    ['--at https://a.example', { ...none, at: 'https://a.example' }],
    ['--at=https://a.example --port=5000', { ...none, at: 'https://a.example', port: 5000 }],
    ['--port 5000', { ...none, port: 5000 }],
    ['5000', { ...none, port: 5000 }],
  ])('%j', (argument, read) => expect(readServeArgument(argument)).toEqual(read))

  test.each([
    ['on', 'not on'],
    ['off now', 'not off'],
    ['--port', 'from 1 to 65535.'],
    ['--port 70000', 'not 70000'],
    ['--at', 'begins with https://'],
    ['--at a.example', 'begins with https://'],
    ['ftp://a', 'not ftp://a'],
  ])('%j is refused with a sentence', (argument, words) =>
    expect(readServeArgument(argument)).toMatchObject({ ok: false, why: expect.stringContaining(words) }),
  )
})

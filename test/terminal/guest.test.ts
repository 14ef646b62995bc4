import { describe, expect, test } from 'vitest'
import { createGuest } from '../../src/terminal/guest.ts'

const size = { columns: 20, rows: 10 }
const line = '\u001B7\u001B[10;1H\u001B[0;7mback with /exit     \u001B[0m\u001B8'
const wiped = '\u001B7\u001B[H\u001B[J\u001B[10;1H\u001B[0;7mback with /exit     \u001B[0m\u001B8'

/** The bytes for the terminal when a program writes these pieces. */
function through(...pieces: readonly string[]): string {
  const guest = createGuest(size, 'back with /exit')
  return pieces.map(piece => guest.through(Buffer.from(piece)).toString()).join('')
}

describe('a program on a screen of its own', () => {
  test.each([
    ['the scrollback is not wiped', 'a\u001B[3Jb\u001B[?3J', 'ab'],
    ['the screen is, and the line stays', 'a\u001B[2Jb', `a${wiped}b`],
    ['a part of the screen is, and the line stays', '\u001B[J\u001B[1J', `\u001B[J${line}\u001B[1J${line}`],
    ['the terminal is not reset', '\u001Bc', wiped],
    ['what erases otherwise erases the screen', '\u001B[22J', wiped],
    ['the screen is not left', '\u001B[?1049h\u001B[?47l\u001B[?1047;1048h', ''],
    ['other modes that come with it stay', '\u001B[?25;1049;2004h', '\u001B[?25;2004h'],
    ['nothing scrolls over the line', '\u001B[r\u001B[2;10r', '\u001B[1;9r\u001B[1;9r'],
    ['a mode that is restored is no region', '\u001B[?1r', '\u001B[?1r'],
    [
      'all else is as it was',
      'é─\u001B[38;5;1m\u001B]0;t\u0007\u001B[1 q\u001B[>4m',
      'é─\u001B[38;5;1m\u001B]0;t\u0007\u001B[1 q\u001B[>4m',
    ],
  ])('%s', (_what, written, seen) => {
    expect(through(written)).toBe(seen)
  })

  test('may write in any pieces', () => {
    const written = 'a─\u001B[2J\u001B[3J\u001B[1;1H\u001B[?1049;2004hé\u001Bcb\u001B[r'
    const whole = through(written)
    const bytes = Buffer.from(written)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const guest = createGuest(size, 'back with /exit')
      const parts = [guest.through(bytes.subarray(0, cut)), guest.through(bytes.subarray(cut))]
      expect(Buffer.concat(parts).toString()).toBe(whole)
    }
  })

  test('may not make us keep an endless sequence', () => {
    expect(through(`\u001B[${'1;'.repeat(200)}`, 'x')).toContain('x')
  })
})

test.each([
  ['nothing', '', ''],
  ['two modes of keys, pushed', '\u001B[>1u\u001B[>31u', '\u001B[<2u'],
  ['one of two that is left', '\u001B[>1u\u001B[>31u\u001B[<u', '\u001B[<1u'],
  ['more popped than pushed', '\u001B[<5u\u001B[>1u', '\u001B[<1u'],
  ['a mode that is set without a push', '\u001B[=1;1u', '\u001B[=0u'],
  ['a mode that is set on a pushed one', '\u001B[>1u\u001B[=5u', '\u001B[<1u'],
  ['a question and a key', '\u001B[?u\u001B[97u', ''],
])('takes back %s when the screen is left', (_what, written, taken) => {
  const guest = createGuest(size, 'back with /exit')
  const before = guest.leave
  guest.through(Buffer.from(written))
  expect(guest.leave).toBe(before.replace('\u001B[r', `\u001B[r${taken}`))
})

test('gets the whole terminal if it is small or was resized', () => {
  const small = createGuest({ columns: 20, rows: 7 }, 'back')
  expect(small.rows).toBe(7)
  expect(small.enter).not.toContain('back')
  const guest = createGuest(size, 'back')
  expect(guest.rows).toBe(9)
  expect(guest.resized()).toBe('\u001B[r')
  expect(guest.through(Buffer.from('\u001B[2J')).toString()).not.toContain('back')
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalisePaste } from '../../src/composer/paste.ts'

test.each<[name: string, pasted: string, clean: string]>([
  ['plain text', 'a b\tc\nd é 汉 👩‍👩‍👧', 'a b\tc\nd é 汉 👩‍👩‍👧'],
  ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
  ['CR', 'a\rb\r\rc', 'a\nb\n\nc'],
  ['Unicode line ends', 'a\u2028b\u2029c', 'a\nb\nc'],
  ['NUL and other controls', 'a\0b\x07c\x08d\x7fe\x0bf', 'abcdef'],
  ['C1 controls', 'a\x85b\x84c', 'abc'],
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['CSI with a private mark and intermediates', 'a\x1b[?2004hb\x1b[1 qc', 'abc'],
  ['CSI in one character', 'a\x9b31mb', 'ab'],
  ['the end of a bracketed paste', 'a\x1b[201~rm -rf\r', 'arm -rf\n'],
  ['OSC ended by BEL', 'a\x1b]0;title\x07b', 'ab'],
  ['OSC ended by ST', 'a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'alink'],
  ['OSC in one character', 'a\x9d52;c;AAAA\x9cb', 'ab'],
  ['DCS, APC, PM, SOS', 'a\x1bPq#0\x1b\\b\x1b_Gf\x1b\\c\x1b^x\x1b\\d\x1bXx\x1b\\e', 'abcde'],
  ['an OSC without an end keeps its text', 'a\x1b]0;title\nb', 'a0;title\nb'],
  ['a sequence that another one hides', '\x1b[\x1b[31mb', 'b'],
  ['arrows and other short escapes', 'a\x1bOAb\x1b(Bc\x1b7d\x1bce', 'abcde'],
  ['an ESC at the end', 'a\x1b', 'a'],
  ['CR and LF with a sequence between', 'a\r\x1b[K\nb', 'a\nb'],
  ['half a pair', 'a\ud83d b', 'a\ufffd b'],
])('%s', (_, pasted, clean) => {
  expect(normalisePaste(pasted)).toBe(clean)
})

test('a cleaned paste has no control sequences, and cleaning it again changes nothing', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '\x1b',
      '[',
      ']',
      '\\',
      '\x07',
      '\x9b',
      '\x9c',
      '\x90',
      'P',
      'O',
      '0',
      ';',
      'm',
      '\r',
      '\n',
      '\t',
      'a',
      '\ud83d',
    ),
  })
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), pasted => {
      const clean = normalisePaste(pasted)
      expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u)
      expect(clean.isWellFormed()).toBe(true)
      expect(normalisePaste(clean)).toBe(clean)
    }),
    { numRuns: 1000 },
  )
})

test('a paste of unfinished sequences is cleaned quickly', () => {
  expect(normalisePaste('\x1b]'.repeat(300_000))).toBe('')
  expect(normalisePaste('\x1b[0'.repeat(100_000))).toBe('0'.repeat(100_000))
})

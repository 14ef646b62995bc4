import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTag } from '../../../src/platform/symbols/tags-format.ts'

describe('a line of a tags file', () => {
  test.each([
    [
      'alpha\tsrc/a.ts\t3;"\tfunction\tline:3\tend:9',
      { name: 'alpha', kind: 'function', path: 'src/a.ts', from: 3, to: 9 },
    ],
    ['b\t./b.c\t/^int b(int\tx) {$/;"\tf\tline:7', { name: 'b', kind: 'function', path: 'b.c', from: 7, to: null }],
    ['c\tc.py\t/^class c:$/;"\tkind:class\tclass:d', { name: 'c', kind: 'class', path: 'c.py', from: null, to: null }],
    ['d\td.go\t12', { name: 'd', kind: '', path: 'd.go', from: 12, to: null }],
    ['e\te.rb\t/^a ;"\tb$/;"\tm', { name: 'e', kind: 'member', path: 'e.rb', from: null, to: null }],
  ])('%j', (line, symbol) => expect(parseTag(line)).toEqual(symbol))

  test.each(['!_TAG_FILE_SORTED\t1\t/0=unsorted/', '', 'a', 'a\tb', 'a\tb\t'])('is none: %j', line => {
    expect(parseTag(line)).toBeNull()
  })

  test('any text is read, and lines count from 1', () => {
    const part = fc.constantFrom('\t', ';"', 'a', '1', 'line:0', 'line:4', 'end:-1', '/^', '!', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), parts => {
        const symbol = parseTag(parts.join(''))
        for (const line of [symbol?.from, symbol?.to]) expect(line ?? 1).toBeGreaterThan(0)
      }),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mentionsIn, mentionText, withoutLines } from '../../src/composer/mentions.ts'
import { pieces } from './samples.ts'

/** The readings of each mention as they would be typed. */
function readings(text: string): string[][] {
  return mentionsIn(text).map(mention =>
    mention.map(({ path, lines }) => `${path}${lines ? ` ${lines.from}-${lines.to}` : ''}`),
  )
}

describe('the files that a prompt mentions', () => {
  test.each<[text: string, readings: string[][]]>([
    ['see @src/main.ts there', [['src/main.ts']]],
    ['@a.ts and @b.ts', [['a.ts'], ['b.ts']]],
    ['(@src/a.ts)', [['src/a.ts)', 'src/a.ts']]],
    ['look at @src/a.ts.', [['src/a.ts.', 'src/a.ts']]],
    ['@src/a.ts:10-40', [['src/a.ts:10-40', 'src/a.ts 10-40']]],
    ['@src/a.ts:7,', [['src/a.ts:7,', 'src/a.ts:7', 'src/a.ts 7-7']]],
    ['@"my notes.md" x', [['my notes.md']]],
    ['@"my notes.md":3 x', [['my notes.md:3', 'my notes.md 3-3']]],
    ['@"my notes.md:3-4" x', [['my notes.md:3-4', 'my notes.md 3-4']]],
    ['`@src/`', [['src/`', 'src/']]],
    ['@~/notes @../up @/etc/hosts', [['~/notes'], ['../up'], ['/etc/hosts']]],
    ['@日本.md', [['日本.md']]],
    ['@a.ts:0 @a.ts:9-3', [['a.ts:0'], ['a.ts:9-3']]],
    ['me@home a@b.c', []],
    ['@ @. @/ @~ @"" @"/"', []],
    ['@"open', []],
  ])('%j', (text, expected) => expect(readings(text)).toEqual(expected))

  test('are found in any text if they are written as mentions', () => {
    const name = fc.stringMatching(/^[\p{L}\p{N}./_ -]{1,20}$/u).filter(path => /[\p{L}\p{N}]/u.test(path))
    const lines = fc.option(
      fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(999)).map(([from, more]) => ({ from, to: from + more })),
    )
    fc.assert(
      fc.property(name, lines, pieces(6), (path, range, behind) => {
        const written = mentionText(path, range)
        const [first] = mentionsIn(`see ${written} ${behind}`)
        expect(first).toContainEqual({ path, lines: range })
      }),
    )
  })

  test('begin with their sign, and no reading is longer than the text', () => {
    const sign = fc.constantFrom('@', '@"', '"', ' ', ':1', ':1-2', '@a', ')', '\n')
    fc.assert(
      fc.property(fc.array(fc.oneof(sign, pieces(3)), { maxLength: 12 }), parts => {
        const text = parts.join('')
        for (const { path } of mentionsIn(text).flat())
          expect(text.replaceAll('"', '')).toContain(`@${path.replaceAll('"', '')}`)
      }),
    )
  })

  test('are found quickly among many signs', () => {
    const started = performance.now()
    mentionsIn(`${'@"'.repeat(50_000)}${'@a:1-'.repeat(50_000)}`)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

test.each([
  ['src/a.ts:3', { path: 'src/a.ts', lines: { from: 3, to: 3 } }],
  ['src/a.ts:3-', { path: 'src/a.ts:3-', lines: null }],
  [':3', { path: ':3', lines: null }],
])('the lines behind a path in %j', (text, expected) => {
  expect(withoutLines(text)).toEqual(expected)
})

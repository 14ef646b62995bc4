import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partialString } from '../../src/tools/partial-json.ts'

describe('a string from JSON that is still streaming', () => {
  test.each<[json: string, value: string | undefined]>([
    ['', undefined],
    ['{"path":"a.txt"', undefined],
    ['{"content":', undefined],
    ['{"content":"', ''],
    ['{"content":"one', 'one'],
    ['{"content":"one"}', 'one'],
    ['{ "content" : "one" , "path": "x" }', 'one'],
    ['{"content":"one\\ntwo', 'one\ntwo'],
    ['{"content":"one\\', 'one'],
    ['{"content":"one\\\\', 'one\\'],
    ['{"content":"one\\\\\\', 'one\\'],
    ['{"content":"say \\"hi\\"', 'say "hi"'],
    ['{"content":"\\u00e', ''],
    ['{"content":"\\u00e4', 'ä'],
    ['{"content":"a\\\\u00', 'a\\u00'],
    ['{"content":"\\ud83d\\ude00', '😀'],
    ['{"content":5', undefined],
    ['{"content":null}', undefined],
    // A model that forgets to escape: better what it meant than nothing.
    ['{"content":"one\ntwo\tthree', 'one\ntwo\tthree'],
  ])('%j', (json, value) => {
    expect(partialString(json, 'content')).toBe(value)
  })

  test('is a prefix of the string if it is cut anywhere', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('\\', '"', '\n', '\u0001', '😀', 'u00', 'x')).map(pieces => pieces.join('')),
    )
    fc.assert(
      fc.property(text, fc.nat(), (content, at) => {
        const json = JSON.stringify({ path: 'a', content })
        const cut = json.slice(0, at % (json.length + 1))
        const found = partialString(cut, 'content') ?? ''
        // The second half of a character that is told in two halves may still be missing.
        expect(content.startsWith(found.replace(/[\uD800-\uDBFF]$/, ''))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('is the string if it is complete', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), content => {
        expect(partialString(JSON.stringify({ path: 'a', content }), 'content')).toBe(content)
      }),
    )
  })

  test('never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(partialString(`{"content":"${text}`, 'content')).toBeTypeOf('string')
      }),
    )
  })
})

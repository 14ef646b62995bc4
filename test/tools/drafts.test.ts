import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { partialString, partialTail, partialValue } from '../../src/tools/partial-json.ts'

const asciiOnly = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('a string of JSON that is still streaming', () => {
  test.each<[what: string, json: string, value: string | undefined]>([
    ['nothing', '', undefined],
    ['an object alone', '{', undefined],
    ['half a key', '{"conte', undefined],
    ['a key', '{"content"', undefined],
    ['a colon', '{"content": ', undefined],
    ['a quote', '{"content": "', ''],
    ['some words', '{"content":"some words', 'some words'],
    ['the whole', '{"content":"some words"}', 'some words'],
    ['what follows', '{"content":"a","path":"b"', 'a'],
    ['another key first', '{ "path" : "b" , "content" : "a', 'a'],
    ['a number first', '{"limit":12,"content":"a', 'a'],
    ['an object first', '{"meta":{"content":"no","x":["}"]},"content":"a', 'a'],
    ['the key inside a text', String.raw`{"path":"\"content\":\"no","content":"a`, 'a'],
    ['an escaped key', String.raw`{"con\u0074ent":"a`, 'a'],
    ['a newline', String.raw`{"content":"a\nb`, 'a\nb'],
    ['half an escape', '{"content":"a\\', 'a'],
    ['a whole backslash', '{"content":"a\\\\', 'a\\'],
    ['half a code', String.raw`{"content":"a\u00e`, 'a'],
    ['a backslash before u', String.raw`{"content":"a\\u00e`, String.raw`a\u00e`],
    ['half an emoji', String.raw`{"content":"a\ud83d`, 'a'],
    ['an emoji', String.raw`{"content":"a\ud83d\ude00`, 'a😀'],
    ['an escaped quote', String.raw`{"content":"say \"x`, 'say "x'],
    ['a raw newline, which is not JSON', '{"content":"a\nb\\tc', 'a\nb\tc'],
    ['a wrong escape', String.raw`{"content":"a\qb`, 'aqb'],
    ['a number', '{"content":12', undefined],
    ['an array', '["content","a"', undefined],
    ['no JSON', 'content: a', undefined],
  ])('%s', (_what, json, value) => {
    expect(partialString(json, 'content')).toBe(value)
  })

  const anyText = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', '\t', '\u0007', 'é', '😀', 'u', '00', '\u2028'),
  })

  test('gives a prefix for a prefix, and everything for the whole', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.boolean(), (content, cut, ascii) => {
        const plain = JSON.stringify({ path: 'a "content" : "b', content })
        const json = ascii ? asciiOnly(plain) : plain
        const value = partialString(json.slice(0, cut % (json.length + 1)), 'content') ?? ''
        expect(content.startsWith(value)).toBe(true)
        expect(partialString(json, 'content')).toBe(content)
      }),
      { numRuns: 500 },
    )
  })

  test('has a tail that is the end of the text, from the beginning of a line if it has one', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.integer({ min: 1, max: 40 }), (content, cut, limit) => {
        const json = JSON.stringify({ content })
        const prefix = json.slice(0, cut % (json.length + 1))
        const whole = partialString(prefix, 'content')
        const tail = partialTail(prefix, 'content', limit)
        expect(tail === undefined).toBe(whole === undefined)
        if (whole === undefined || tail === undefined) return
        // The first line may begin in the middle of an escape.
        const rest = tail.split('\n').slice(1)
        const lines = whole.split('\n')
        expect(rest).toEqual(lines.slice(lines.length - rest.length))
      }),
      { numRuns: 500 },
    )
  })

  test('is decoded from its end only if it grows to 300 KB', () => {
    const json = JSON.stringify({ path: 'a.ts', content: 'const a = "b" // c\\d\n'.repeat(15_000) })
    const parse = vi.spyOn(JSON, 'parse')
    const tail = partialTail(json.slice(0, -10), 'content', 4000)
    expect(tail).toMatch(/^const a = "b" \/\/ c\\d\n/)
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length))
    parse.mockRestore()
    expect(longest).toBeLessThan(4100)
  })
})

describe('any value that is still streaming', () => {
  test.each<[json: string, value: unknown]>([
    ['', undefined],
    ['{', {}],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":1', { a: 1 }],
    ['{"a":1,', { a: 1 }],
    ['{"a":1,"b":"x\\', { a: 1, b: 'x' }],
    ['{"a":1,"b":tr', { a: 1 }],
    [
      '{"edits":[{"oldText":"a","newText":"b"},{"oldText":"c',
      { edits: [{ oldText: 'a', newText: 'b' }, { oldText: 'c' }] },
    ],
    ['{"edits":[{"oldText":"a"}', { edits: [{ oldText: 'a' }] }],
    ['{"a":[1,[2,{"b":[', { a: [1, [2, { b: [] }]] }],
    ['{"a":1}', { a: 1 }],
    ['nonsense', undefined],
  ])('%s', (json, value) => {
    expect(partialValue(json)).toEqual(value)
  })

  test('never throws, and gives complete values in full', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cut) => {
        partialValue(json.slice(0, cut % (json.length + 1)))
        expect(partialValue(json)).toEqual(JSON.parse(json))
      }),
    )
  })
})

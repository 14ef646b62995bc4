import { describe, expect, test } from 'vitest'
import { DEEPEST, parseJson } from '../../src/text/json.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('foreign JSON', () => {
  test('is read unchanged', () => {
    const text = '{"a":[1,"two",null,{"b":[]}],"c":true}'
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  test.each(['', '{', 'undefined', '{"a":1'])('%j has no value', text => expect(parseJson(text)).toBeUndefined())

  test.each([lists(DEEPEST), objects(DEEPEST)])('keeps as many levels as anybody needs', text =>
    expect(JSON.stringify(parseJson(text))).toBe(text),
  )

  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('has a text instead of %s that are nested too deep', (_, nested) => {
    for (const depth of [DEEPEST + 1, 4500, 100_000]) {
      const written = JSON.stringify(parseJson(nested(depth)))
      expect(written).toContain('omitted: nested too deep')
      expect(written.length).toBeLessThan(10 * DEEPEST)
    }
  })

  test('loses only what is nested too deep', () => {
    const text = `{"before":1,"deep":${lists(4500)},"after":{"b":[2]}}`
    expect(parseJson(text)).toMatchObject({ before: 1, after: { b: [2] } })
  })

  test('treats __proto__ as an ordinary name', () => {
    const written = JSON.stringify(parseJson(`${'{"__proto__":'.repeat(300)}1${'}'.repeat(300)}`))
    expect(written).toContain('omitted: nested too deep')
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsStars, matchStars, readStars, type Starred } from '../../../src/text/patterns/stars.ts'

/** The meaning of a pattern, tried out: a star takes nothing, or one more item. Takes forever for long ones. */
function naive(pattern: Starred<string>, items: readonly string[]): boolean {
  const [part, ...parts] = pattern
  const [item, ...others] = items
  if (part === undefined) return item === undefined
  if (part === null) return naive(parts, items) || (item !== undefined && naive(pattern, others))
  return part === item && naive(parts, others)
}

const letters = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 9 })
const patterns = fc.array(fc.constantFrom('a', 'b', '\n', null), { maxLength: 7 })

describe('a pattern with stars', () => {
  test('means what trying all ways says, for items and for texts', () => {
    fc.assert(
      fc.property(patterns, letters, (pattern, items) => {
        const expected = naive(pattern, items)
        const isFit = matchStars(pattern, items, (part, item) => part === item)
        const isTextFit = fitsStars(readStars(pattern.map(part => part ?? '*').join('')), items.join(''))
        expect([isFit, isTextFit]).toEqual([expected, expected])
      }),
      { numRuns: 3000 },
    )
  })

  test.each<[pattern: string, items: string]>([
    [`${'*a'.repeat(14)}*b`, 'a'.repeat(5000)],
    [`${'*'.repeat(14)}b`, 'a'.repeat(5000)],
    [`${'*a'.repeat(14)}*ba*`, 'a'.repeat(5000)],
    [`*${'a'.repeat(100)}b*`, 'a'.repeat(5000)],
    [`a*${'ab*'.repeat(30)}b`, 'ab'.repeat(2000)],
  ])('%s compares no pair of a part and an item twice', (text, items) => {
    const pattern = text.split('').map(unit => (unit === '*' ? null : unit))
    let steps = 0
    matchStars(pattern, items, (part, item) => {
      steps++
      return part === item
    })
    expect(steps).toBeLessThanOrEqual(pattern.length * items.length)
  })

  test('with any parts compares no pair twice', () => {
    fc.assert(
      fc.property(patterns, letters, (pattern, items) => {
        const own = pattern.map(part => (part === null ? null : { part }))
        const pairs: [unknown, number][] = []
        matchStars(own, [...items.keys()], (part, at) => {
          pairs.push([part, at])
          return part.part === items[at]
        })
        const keys = pairs.map(([part, at]) => `${own.indexOf(part as (typeof own)[number])} ${at}`)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  test('finishes for texts at which an expression would not', () => {
    expect(fitsStars(readStars(`${'*a'.repeat(40)}*b`), 'a'.repeat(50_000))).toBe(false)
    expect(fitsStars(readStars(`${'*a'.repeat(40)}*`), 'a'.repeat(50_000))).toBe(true)
  })
})

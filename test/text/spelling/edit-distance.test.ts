import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../../src/text/spelling/edit-distance.ts'

describe('the edit distance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['help', 'help', 0],
    ['hlep', 'help', 2],
    ['modle', 'model', 2],
    ['kitten', 'sitting', 3],
  ])('from %j to %j: %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance)
  })

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

  test('is symmetric, at most the longer length, and minimal', () => {
    fc.assert(
      fc.property(word, word, word, (from, to, over) => {
        const distance = editDistance(from, to)
        expect(editDistance(to, from)).toBe(distance)
        expect(distance).toBeLessThanOrEqual(Math.max(from.length, to.length))
        expect(distance === 0).toBe(from === to)
        expect(distance).toBeLessThanOrEqual(editDistance(from, over) + editDistance(over, to))
      }),
    )
  })
})

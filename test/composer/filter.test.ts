import { expect, test } from 'vitest'
import { wordPositions } from '../../src/composer/filter.ts'

test('a filter matches the letters of each word at the first place of it, in any case', () => {
  expect(wordPositions('Fix the docs, fix', 'DOCS fi')).toEqual([8, 9, 10, 11, 0, 1])
  expect(wordPositions('Fix', 'x y ')).toEqual([2])
})

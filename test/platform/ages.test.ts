import { expect, test } from 'vitest'
import { createAges } from '../../src/platform/ages.ts'

test('an age counts from when a thing was first seen without a break, and is 0 for what was not', () => {
  let time = 100
  const ages = createAges(() => time)
  ages.see(['a'])
  time += 50
  ages.see(['a', 'b'])
  time += 50
  expect([ages.of('a'), ages.of('b'), ages.of('c')]).toEqual([100, 50, 0])
  ages.see(['b'])
  ages.see(['a', 'b'])
  expect([ages.of('a'), ages.of('b')]).toEqual([0, 50])
})

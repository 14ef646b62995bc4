import { expect, test } from 'vitest'
import { oncePerTick } from '../../src/state/once-per-tick.ts'

test('calls of one turn run it once, after them, and a call while it runs runs it again', async () => {
  const seen: number[] = []
  let count = 0
  const soon = oncePerTick(() => {
    seen.push(count)
    if (count === 2) soon()
    count += 1
  })
  soon()
  soon()
  count = 2
  expect(seen).toEqual([])
  await Promise.resolve()
  await Promise.resolve()
  expect(seen).toEqual([2, 3])
})

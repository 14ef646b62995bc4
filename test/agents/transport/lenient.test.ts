import { expect, test } from 'vitest'
import { z } from 'zod'
import { list, text } from '../../../src/agents/transport/lenient.ts'

const item = z.object({ id: z.string(), name: text })

test.each([
  ['items as agents write them', [{ id: 'a', name: 'A', more: 1 }], [{ id: 'a', name: 'A' }]],
  [
    'an item with an odd field',
    [{ id: 'a', name: null }, { id: 'b' }],
    [
      { id: 'a', name: '' },
      { id: 'b', name: '' },
    ],
  ],
  ['items that are none', [{ id: 'a', name: 'A' }, null, { name: 'B' }, 'c'], [{ id: 'a', name: 'A' }]],
  ['no list', { id: 'a' }, []],
])('a list of %s', (_what, value, read) => {
  expect(z.object({ items: list(item) }).parse({ items: value }).items).toEqual(read)
})

test('a list that is missing is empty', () => {
  expect(z.object({ items: list(item) }).parse({}).items).toEqual([])
})

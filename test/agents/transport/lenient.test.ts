import { expect, test } from 'vitest'
import { z } from 'zod'
import { list, text } from '../../../src/agents/transport/lenient.ts'

const item = z.object({ id: z.string(), name: text })
const usual = z.object({ id: z.string(), name: z.string() })

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
  const wrapped = z.object({ items: list(item, usual) })
  expect(wrapped.parse({ items: value }).items).toEqual(read)
  expect(z.object({ items: list(item) }).parse({ items: value }).items).toEqual(read)
})

test('a list that is missing is empty', () => {
  expect(z.object({ items: list(item, usual) }).parse({}).items).toEqual([])
})

import { expect, test } from 'vitest'
import { permissionWords } from '../../src/tools/permission.ts'

test('a refused call says who refused it, and why', () => {
  const refused = { state: 'refused', by: 'rule', words: '' } as const
  expect(permissionWords({ ...refused, because: 'your hook: No bash today.' })).toBe(
    'blocked by your hook: No bash today.',
  )
  expect(permissionWords({ ...refused, because: 'your hook' })).toBe('blocked by your hook')
  expect(permissionWords({ ...refused, because: 'the mode is plan' })).toBe('refused: the mode is plan')
  expect(permissionWords({ ...refused, because: '', by: 'user' })).toBe('refused by you')
})

import { expect, test } from 'vitest'
import { callSubject } from '../../../src/app/permissions/call-subject.ts'

test('a call is named by its command, its files or its skill', () => {
  expect(callSubject({ kind: 'command', tool: 'bash', arguments: {}, command: 'make' })).toBe('bash make')
  expect(callSubject({ kind: 'edit', tool: 'edit', arguments: {}, paths: ['/x/a.ts', '/x/b.ts'] })).toBe(
    'edit a.ts, b.ts',
  )
  expect(callSubject({ kind: 'read', tool: 'skill', arguments: { name: 'reviewing' } })).toBe('skill reviewing')
  expect(callSubject({ kind: 'other', tool: 'search', arguments: { name: 'x' } })).toBe('search')
})

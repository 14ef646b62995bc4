import { expect, test } from 'vitest'
import type { ToolRequest } from '../../../src/agent/permission.ts'
import { callInBrief } from '../../../src/conversation/calls/call-in-brief.ts'

const brief = (facts: Partial<ToolRequest>): string =>
  callInBrief({ kind: 'other', tool: 'search', arguments: {}, folder: '/x', ...facts })

test('A call is named by its command, its files or its skill', () => {
  expect(brief({ kind: 'command', tool: 'bash', command: 'make' })).toBe('bash make')
  expect(brief({ kind: 'read', tool: 'skill', arguments: { name: 'reviewing' } })).toBe('skill reviewing')
  expect(brief({ kind: 'read', tool: 'skill', arguments: { name: 'reviewing' }, paths: [] })).toBe('skill reviewing')
  expect(brief({ arguments: { name: 'x' } })).toBe('search')
})

test('Its files are named from its folder, since many have the same name, and others by their whole path', () => {
  const paths = ['/x/a/index.ts', '/x/b/index.ts', '/xy/index.ts']
  expect(brief({ kind: 'edit', tool: 'edit', paths })).toBe('edit a/index.ts, b/index.ts, /xy/index.ts')
})

test("The agent's own title comes first", () => {
  expect(brief({ title: 'Run the tests', command: 'make' })).toBe('Run the tests')
})

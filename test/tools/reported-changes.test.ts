/** The changes that an agent tells, with the lines at which they begin. */
import { applyPatch } from 'diff'
import { expect, test } from 'vitest'
import { diffOfCalls } from '../../src/changes/call-diff.ts'
import { numberOf } from '../../src/text/diff-line.ts'
import { readPatch } from '../../src/tools/diff/patch.ts'
import { patchText } from '../../src/tools/diff/change-text.ts'
import { callsByFile, reportedChanges } from '../../src/tools/reported-changes.ts'
import { calls, toolOf, turnOf, type Told } from '../conversation/events.ts'

const described: Told = {
  type: 'tool_described',
  id: 'a',
  diff: [
    { path: 'x', before: 'one', after: 'ONE' },
    { path: 'y', before: 'two', after: 'TWO' },
    { path: 'x', before: 'three', after: 'THREE' },
  ],
  locations: [{ path: 'y', line: 70 }],
}
const located: Told = { type: 'edit_located', id: 'a', lines: [4, null, 40] }
const numbersOf = (call: Parameters<typeof reportedChanges>[0]) =>
  reportedChanges(call).map(({ path, diff }) => [path, diff.hunks.flat().map(numberOf)])

test('A change begins where zotui found it, or else where the agent says', () => {
  const tool = toolOf(turnOf(calls('a', 'edit'), described, located), 'a')
  expect(numbersOf(tool)).toEqual([
    ['x', [4, 4, 40, 40]],
    ['y', [70, 70]],
  ])
  expect(callsByFile(tool).map(({ call }) => numbersOf(call))).toEqual([[['x', [4, 4, 40, 40]]], [['y', [70, 70]]]])
})

test('Another description of the call leaves no line of the one before', () => {
  const other: Told = { type: 'tool_described', id: 'a', diff: [{ path: 'x', before: 'four', after: 'FOUR' }] }
  expect(numbersOf(toolOf(turnOf(calls('a', 'edit'), described, located, other), 'a'))).toEqual([['x', [null, null]]])
})

const part = (path: string): string => `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n same\n--- old\n+new\n`

test('A question about parts of files numbers the lines of each from its place', () => {
  const patch = `${part('x')}${part('y')}`
  expect(readPatch(patch).flat().map(numberOf)).toEqual([1, 2, 2, 1, 2, 2])
  expect(readPatch(patch, [10, null]).flat().map(numberOf)).toEqual([10, 11, 11, null, null, null])
})

test('The diff of a call whose place is known is a patch that can be applied', () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
  const after = before.replace('line 3\n', 'three\nand more\n').replace('line 20\n', '')
  const edit: Told = { type: 'tool_described', id: 'a', diff: [{ path: 'x', before, after }] }
  const done: Told = { type: 'tool_finished', id: 'a', failed: false, content: [{ type: 'text', text: 'done' }] }
  const tool = toolOf(turnOf(calls('a', 'edit'), edit, { type: 'edit_located', id: 'a', lines: [1] }, done), 'a')
  const patch = patchText({ path: 'x', from: null, kind: 'changed' }, diffOfCalls([tool]))
  expect(applyPatch(before, patch)).toBe(after)
})

import { describe, expect, test } from 'vitest'
import { writtenFile } from '../../../src/agents/tool-host/written-file.ts'
import { unifiedDiff } from '../../../src/local-tools/line-diff.ts'

const done = { isError: false }

function written(before: string | null, after: string, outcome = done, tool = 'write'): unknown {
  const bytes = before === null ? null : Buffer.from(before)
  const state = { path: '/x/a', mark: before }
  return writtenFile({ tool, callId: 'w' }, { state, diff: unifiedDiff('a', bytes, Buffer.from(after)) }, outcome, 7)
}

describe('a write that zotui carried out', () => {
  test('made its file', () => {
    expect(written(null, 'one\n')).toEqual([{ type: 'file_created', at: 7, id: 'w' }])
  })

  test.each([
    ['one\n', 'one\ntwo\n', 1, 0],
    ['one\ntwo\n', 'two\n', 0, 1],
    // Lines that look like the head of a diff.
    ['-- a\n', '++ b\n', 1, 1],
    ['same\n', 'same\n', 0, 0],
    ['', 'one\n', 1, 0],
  ])('over %j with %j added and removed these lines', (before, after, added, removed) => {
    expect(written(before, after)).toEqual([{ type: 'file_replaced', at: 7, id: 'w', added, removed }])
  })

  test('that failed, and an edit, say nothing', () => {
    expect(written(null, 'one\n', { isError: true })).toEqual([])
    expect(written('one\n', 'two\n', done, 'edit')).toEqual([])
  })
})

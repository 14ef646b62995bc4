import { describe, expect, test } from 'vitest'
import { changedByCalls } from '../../src/tools/changed-calls.ts'
import { accepted, calls, fold, prompt, returns, step, stops, timed, type Told } from '../conversation/events.ts'

const write = (id: string, content: string, isNew: boolean): Told[] => [
  calls(id, 'write', { path: 'a', content }),
  ...(isNew ? ([{ type: 'file_created', id }] as const) : []),
  returns(id, content),
]

const replaced = (content: string, added: number, removed: number): Told[] => [
  calls('r', 'write', { path: 'a', content }),
  { type: 'file_replaced', id: 'r', added, removed },
  returns('r', content),
]

const edit = (id: string, diff: string): Told[] => [calls(id, 'edit', { path: 'a', edits: [] }), returns(id, diff)]

function changed(...events: readonly Told[]): unknown {
  const { open } = fold(timed([prompt('go'), accepted, step(1), ...events, stops('tool_use')]))
  const [file] = open?.kind === 'turn' ? changedByCalls(open.parts) : []
  return file && [file.added, file.removed, file.isEstimate]
}

describe('the lines of a written file', () => {
  test.each<[what: string, events: readonly Told[], counts: unknown]>([
    ['are exact if the call made it', write('w', 'one\ntwo\n', true), [2, 0, false]],
    ['are an estimate if it may have existed', write('w', 'one\ntwo\n', false), [2, 0, true]],
    ['are those of the difference if zotui replaced it', replaced('one\ntwo\nthree\n', 1, 0), [1, 0, false]],
    [
      'are an estimate if replaced twice',
      [...replaced('one\ntwo\n', 1, 0), ...write('x', 'one\n', false)],
      [2, 0, true],
    ],
    ['are exact with an edit elsewhere', [...write('w', 'one\n', true), ...edit('e', ' one\n+two\n')], [2, 0, false]],
    [
      'are an estimate with an edit of them',
      [...write('w', 'one\n', true), ...edit('e', '-one\n+two\n')],
      [2, 1, true],
    ],
    ['are an estimate if written again', [...write('w', 'one\n', true), ...write('x', 'two\n', true)], [2, 0, true]],
  ])('%s', (_what, events, counts) => {
    expect(changed(...events)).toEqual(counts)
  })
})

test('the changes that an agent reports count for each file, wherever its calls are named', () => {
  const diff = [
    { path: './a', before: 'one\ntwo\n', after: 'one\n2\nthree\n' },
    { path: 'b', before: null, after: 'new\n' },
  ]
  const told: Told[] = [calls('x', 'Change', {}), { type: 'tool_described', id: 'x', diff }, returns('x', 'Done')]
  const { open } = fold(timed([prompt('go'), accepted, step(1), ...told, stops('tool_use')]))
  const files = open?.kind === 'turn' ? changedByCalls(open.parts) : []
  expect(files.map(({ path, added, removed, isEstimate }) => [path, added, removed, isEstimate])).toEqual([
    ['a', 2, 1, false],
    ['b', 1, 0, false],
  ])
})

/** The tree of a session: what came from it, in the order in which it came. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SessionSummary } from '../../../src/conversation/queries/session/session-summary.ts'
import { treeRows } from '../../../src/state/pickers/tree-rows.ts'
import { emptySummary } from '../../../src/storage/sessions/summary.ts'

const session = (id: string, createdAt: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...emptySummary(id),
  createdAt,
  at: createdAt,
  ...more,
})

const drawn = (sessions: readonly SessionSummary[], current: string): string[] =>
  treeRows(sessions, current).map(row => {
    const indent = '  '.repeat(row.depth)
    if (row.kind === 'side') return `${indent}? ${row.side.question}`
    const { from } = row
    return `${indent}${row.session.id} ${from.way}${'turn' in from && from.turn !== null ? ` ${from.turn}` : ''}`
  })

test('lists forks, rewinds, side questions and spawned conversations below their session, in the order in which they began', () => {
  const family = [
    session('a', 1, {
      sides: [{ at: 30, question: 'why?', outcome: 'done', answer: '' }],
      spawned: [{ at: 15, id: 'c' }],
    }),
    session('b', 20, { parent: { id: 'a', turn: 2 } }),
    session('c', 15),
    session('d', 40, { parent: { id: 'b', turn: 0, isRewind: true } }),
    session('other', 5),
  ]
  for (const current of ['a', 'b', 'c', 'd'])
    expect(drawn(family, current)).toEqual(['a root', '  c spawned', '  b fork 2', '    d rewind 0', '  ? why?'])
  expect(drawn(family, 'other')).toEqual(['other root'])
  expect(drawn(family, 'unknown')).toEqual([])
})

test('a session whose parent is gone is the beginning of its own tree', () => {
  expect(drawn([session('b', 20, { parent: { id: 'gone', turn: 1 } })], 'b')).toEqual(['b root'])
})

test('in any family, with circles too, each session is listed once at most, the current one always, and none above its root', () => {
  const ids = fc.integer({ min: 0, max: 7 }).map(String)
  const links = fc.array(
    fc.record({ parent: fc.option(ids, { nil: null }), spawned: fc.array(ids, { maxLength: 2 }) }),
    { minLength: 8, maxLength: 8 },
  )
  fc.assert(
    fc.property(links, ids, (made, current) => {
      const all = made.map(({ parent, spawned }, index) =>
        session(String(index), index, {
          parent: parent === null ? null : { id: parent, turn: null },
          spawned: spawned.map(id => ({ at: index, id })),
        }),
      )
      const listed = treeRows(all, current).flatMap(row => (row.kind === 'session' ? [row.session.id] : []))
      expect(new Set(listed).size).toBe(listed.length)
      expect(listed).toContain(current)
      expect(treeRows(all, current)[0]?.depth).toBe(0)
    }),
    { numRuns: 2000 },
  )
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundTree, treeOf, type Branch } from '../../../src/tools/panel/tree.ts'
import { aborting, calls, prints, returns, step, stops, type Told } from '../../conversation/events.ts'
import { bashText, drawn, toolOf } from '../samples.ts'

const inside = (...events: readonly Told[]): Told[] => [
  step(1),
  calls('a', 'codemode', { code: 'x()' }),
  stops('tool_use'),
  ...events,
]
const runs = (id: string, command = id): Told => calls(id, 'bash', { command })
const ends = (id: string, failed = false): Told =>
  returns(id, bashText(id, failed ? 'bad' : 'good', `[exit ${failed ? 1 : 0}]  Took 0.0s`), failed)

const branchesOf = (events: readonly Told[]): Branch[] => {
  const { tool, nested } = toolOf(events)
  return treeOf(tool, nested)
}
const outline = (branches: readonly Branch[]): string[] =>
  branches.map(({ tool, depth }) => `${'  '.repeat(depth - 1)}${tool.id} ${tool.state}`)

describe('nested calls', () => {
  test('are below their parent, whenever they began', () => {
    const events = inside(
      runs('a/1'),
      runs('a/2'),
      runs('a/1/1'),
      runs('a/2/1'),
      runs('a/1/2'),
      runs('a/1/1/1'),
      ends('a/2/1', true),
    )
    expect(outline(branchesOf(events))).toEqual([
      'a/1 running',
      '  a/1/1 running',
      '    a/1/1/1 running',
      '  a/1/2 running',
      'a/2 running',
      '  a/2/1 failed',
    ])
  })
  test('with an unknown parent are below the next known one', () => {
    expect(outline(branchesOf(inside(runs('a/1/7'), runs('a/2'))))).toEqual(['a/1/7 running', 'a/2 running'])
  })
  test('are sorted by number: ten comes after two', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `a/${index + 1}`)
    expect(branchesOf(inside(...ids.map(id => runs(id)))).map(({ tool }) => tool.id)).toEqual(ids)
  })
  test('that are open at the end of the turn are marked as interrupted', () => {
    const events = inside(runs('a/1'), runs('a/2'), ends('a/2'), aborting, { type: 'turn_ended' })
    expect(drawn(events, { width: 40 })).toEqual([
      expect.stringMatching(/^⊘ codemode  x\(\) +stopped/),
      expect.stringMatching(/^ {2}⊘ bash  a\/1 +stopped/),
      expect.stringMatching(/^ {2}● bash  a\/2/),
    ])
  })
})

const many = (count: number, ...more: readonly Told[]): Told[] =>
  inside(
    ...Array.from({ length: count }, (_, index) => [
      runs(`a/${index + 1}`),
      ends(`a/${index + 1}`, index === 2),
    ]).flat(),
    ...more,
  )
const ids = (branches: readonly Branch[]): string[] => branches.map(({ tool }) => tool.id)

describe('with more calls than fit,', () => {
  test('a few calls are all shown', () => {
    const branches = branchesOf(many(4))
    expect(boundTree(branches, 4)).toEqual({ shown: branches, hidden: 0 })
  })
  test('failed and latest calls stay', () => {
    const { shown, hidden } = boundTree(branchesOf(many(30)), 5)
    expect(ids(shown)).toEqual(['a/3', 'a/28', 'a/29', 'a/30'])
    expect(hidden).toBe(26)
  })
  test('running calls stay longest', () => {
    const { shown } = boundTree(branchesOf(many(30, runs('a/31'), runs('a/32'), ends('a/32'))), 3)
    expect(ids(shown)).toEqual(['a/3', 'a/31'])
  })
  test('a row gives the number of hidden calls', () => {
    expect(drawn(many(30, returns('a', '')), { width: 40 })[1]).toBe('  +19 calls')
    expect(drawn(many(30, returns('a', '')), { width: 40, detail: 'full' })).toHaveLength(32)
    expect(drawn(many(30, returns('a', '')), { width: 40, detail: 'names' })[0]).toContain('30 calls')
  })
  test('a call is never shown without the one that made it', () => {
    const id = fc
      .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 })
      .map(path => ['a', ...path].join('/'))
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { maxLength: 30 }).map(ids => ids.toSorted()),
        fc.nat(12),
        (all, most) => {
          const branches = branchesOf(inside(...all.flatMap(each => [runs(each), ends(each, each.endsWith('2'))])))
          expect(branches).toHaveLength(all.length)
          const { shown, hidden } = boundTree(branches, most)
          expect(shown.length + hidden).toBe(all.length)
          expect(shown.length + (hidden > 0 ? 1 : 0)).toBeLessThanOrEqual(Math.max(1, most))
          expect(ids(branches.filter(branch => shown.includes(branch)))).toEqual(ids(shown))
          for (const { tool, depth } of shown) {
            const makers = branches.filter(({ tool: other }) => tool.id.startsWith(`${other.id}/`))
            expect(depth).toBe(makers.length + 1)
            expect(ids(shown)).toEqual(expect.arrayContaining(ids(makers)))
          }
        },
      ),
    )
  })
})

describe('below a nested call is', () => {
  test('the last line of its output while it runs, and nothing of its parent', () => {
    const events = inside(runs('a/1'), prints('a/1', 'one\ntwo\n'), prints('a', 'parent\n'))
    expect(drawn(events, { width: 40 }).slice(2)).toEqual(['    two'])
  })
  test('the error, if it failed', () => {
    const events = inside(
      runs('a/1'),
      ends('a/1', true),
      calls('a/2', 'read', { path: 'b' }),
      returns('a/2', 'no such file\nreally', true),
    )
    expect(drawn(events, { width: 40 }).filter(line => line.startsWith('    '))).toEqual([
      '    bad',
      '    no such file',
    ])
  })
  test('the final text of its parent, once', () => {
    const lines = drawn(inside(runs('a/1'), ends('a/1'), returns('a', 'all is well')), { width: 40 })
    expect(lines.slice(2)).toEqual(['  all is well'])
  })
})

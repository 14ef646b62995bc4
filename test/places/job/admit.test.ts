import { array, assert, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { countedJobs, judge } from '../../../src/places/job/admit.ts'
import type { ClusterJob } from '../../../src/places/job/objects.ts'
import { aJob } from './job-stage.ts'

/** A cluster in which several zotuis begin Jobs: each step of each is one call of the cluster. */
function play(limit: number, count: number, order: readonly number[]): { most: number; open: number } {
  const jobs = new Map<string, ClusterJob>()
  const zotuis = Array.from({ length: count }, (_, n) => ({ name: `job-${n}`, step: 'create', verdict: '' }))
  let most = 0
  const running = (): number => [...jobs.values()].filter(({ spec }) => !spec.suspend).length
  const advance = (n: number): void => {
    const zotui = zotuis[n % count]
    if (!zotui) return
    const { name } = zotui
    if (zotui.step === 'create') {
      // All in the same second: the cluster's times tell them apart by seconds only.
      jobs.set(name, aJob(name, { suspend: true }))
      zotui.step = 'list'
    } else if (zotui.step === 'list') {
      zotui.verdict = judge([...jobs.values()], name, limit).do
      zotui.step = zotui.verdict === 'wait' ? 'list' : 'act'
    } else if (zotui.step === 'act') {
      if (zotui.verdict === 'begin') jobs.set(name, aJob(name))
      else jobs.delete(name)
      zotui.step = 'done'
    }
    most = Math.max(most, running())
  }
  for (const n of order) advance(n)
  // And then all go on to their end.
  for (let n = 0; n < count * 20; n += 1) advance(n)
  return { most, open: zotuis.filter(({ step }) => step !== 'done').length }
}

test('in no order of their calls do more Jobs begin than the limit, and nobody waits for ever', () => {
  assert(
    property(
      integer({ min: 1, max: 3 }),
      integer({ min: 1, max: 6 }),
      array(nat(5), { maxLength: 60 }),
      (limit, count, order) => {
        const { most, open } = play(limit, count, order)
        expect(most).toBeLessThanOrEqual(limit)
        expect(most).toBeGreaterThan(0)
        expect(open).toBe(0)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a Job that its zotui has left before it began does not count, and is removed', () => {
  const own = aJob('own', { suspend: true, made: '2026-01-01T00:10:00Z' })
  const left = aJob('left', { suspend: true, made: '2026-01-01T00:04:00Z' })
  const young = aJob('young', { suspend: true, made: '2026-01-01T00:09:00Z' })
  const begun = aJob('begun', { made: '2026-01-01T00:00:00Z' })
  const over = aJob('over', { conditions: [{ type: 'Complete' }] })
  const { counted, abandoned } = countedJobs([own, left, young, begun, over], 'own')
  expect(counted.map(({ metadata }) => metadata.name)).toEqual(['own', 'young', 'begun'])
  expect(abandoned).toEqual(['left'])
})

test('a Job that somebody has removed does not begin', () => {
  expect(judge([aJob('other')], 'own', 5)).toEqual({ do: 'give up', others: ['other'] })
})

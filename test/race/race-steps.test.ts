import { describe, expect, test } from 'vitest'
import type { Entrant, RaceCheck } from '../../src/race/race-record.ts'
import { isOver, nextCheck, nextToBegin, recovered } from '../../src/race/race-steps.ts'
import { raceOf } from '../components/pages/race/race-request.ts'

const ended: RaceCheck = { state: 'ended', at: 1, durationMs: 2, exitCode: 0, problem: '', output: '' }
const worktree = { folder: '/w', branch: 'zotui/fix-1', work: '/w' }
const nothing = { session: null, worktree: null }

const entrant = (change: Partial<Entrant>): Entrant => raceOf([change]).entrants[0] ?? expect.unreachable()

describe('what comes next', () => {
  test('the first that waits begins', () => {
    expect(nextToBegin(raceOf([{ step: 'working' }, { step: 'waiting' }, { step: 'waiting' }]))).toBe(1)
    expect(nextToBegin(raceOf([{ step: 'done' }]))).toBe(-1)
  })

  test('checks run one at a time, once each, and only after a turn that came to its end', () => {
    expect(nextCheck(raceOf([{ step: 'done', check: ended }, { step: 'failed' }, { step: 'done' }]))).toBe(2)
    expect(nextCheck(raceOf([{ step: 'done', check: { ...ended, state: 'running' } }, { step: 'done' }]))).toBe(-1)
    expect(nextCheck(raceOf([{ step: 'done', check: { ...ended, state: 'cut' } }, { step: 'stopped' }]))).toBe(-1)
    expect(nextCheck(raceOf([{ step: 'done', isDiscarded: true }]))).toBe(-1)
    expect(nextCheck(raceOf([{ step: 'done' }], { checkCommand: null }))).toBe(-1)
  })

  test('a race is over when nobody works, waits, or is to be checked', () => {
    expect(isOver(raceOf([{ step: 'done', check: ended }, { step: 'failed' }]))).toBe(true)
    expect(isOver(raceOf([{ step: 'done' }]))).toBe(false)
    expect(isOver(raceOf([{ step: 'waiting' }]))).toBe(false)
    expect(isOver(raceOf([{ step: 'done' }], { checkCommand: null }))).toBe(true)
  })
})

describe('after a kill of the program that ran the race', () => {
  test.each(['making', 'starting'] as const)('one that was %s is found again by its conversation', step => {
    const found = recovered(entrant({ step }), { session: 's', worktree })
    expect(found).toMatchObject({ step: 'working', session: 's', worktree })
  })

  test('one whose agent had not started has failed, and says where its worktree is', () => {
    expect(recovered(entrant({ step: 'making' }), nothing)).toMatchObject({ step: 'failed', worktree: null })
    const made = recovered(entrant({ step: 'making' }), { session: null, worktree })
    expect([made.worktree, made.problem]).toEqual([worktree, expect.stringContaining('Its worktree is there')])
  })

  test('one that waits goes on waiting, one that works is followed, and what is known stays', () => {
    expect(recovered(entrant({ step: 'waiting' }), nothing)).toMatchObject({ step: 'waiting' })
    const working = entrant({ step: 'working', session: 's', worktree })
    expect(recovered(working, nothing)).toEqual(working)
  })

  test('a check that was running does not run a second time by itself', () => {
    const cut = recovered(entrant({ step: 'done', check: { ...ended, state: 'running' } }), nothing)
    expect(cut.check?.state).toBe('cut')
    expect(nextCheck(raceOf([cut]))).toBe(-1)
  })
})

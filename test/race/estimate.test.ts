import { expect, test } from 'vitest'
import { noUsage } from '../../src/conversation/state.ts'
import { MOST_TURNS, TurnCosts } from '../../src/race/estimate.ts'
import type { UsageRecord } from '../../src/usage/record.ts'

const common = { at: 1, folder: '/project', provider: 'p', model: 'm', agent: 'claude' }

function call(costUsd: number | null, more: Partial<UsageRecord> = {}): UsageRecord {
  return { kind: 'call', ...common, session: 's', usage: { ...noUsage, costUsd }, ...more } as UsageRecord
}

function turn(more: Partial<UsageRecord> = {}): UsageRecord {
  return { kind: 'turn', ...common, session: 's', duration: 5, ...more } as UsageRecord
}

function costsOf(...records: readonly UsageRecord[]): TurnCosts {
  const costs = new TurnCosts()
  for (const record of records) costs.add(record)
  return costs
}

test('the cost of a turn is that of all its calls, also if the records of several sessions are mixed', () => {
  const costs = costsOf(call(1), call(10, { session: 't' }), call(2), turn(), turn({ session: 't' }))
  expect(costs.estimate({ agent: 'claude', model: null })).toEqual({ median: 3, high: 10, turns: 2 })
})

test('half of the turns cost at most the median, and nine of ten at most the high one', () => {
  const costs = costsOf(...Array.from({ length: 10 }, (_, at) => [call(at + 1), turn()]).flat())
  expect(costs.estimate({ agent: 'claude', model: null })).toEqual({ median: 5, high: 9, turns: 10 })
})

test('a total that an agent reports in parts counts, and only the newest turns do', () => {
  const total: UsageRecord = { kind: 'cost', ...common, session: 's', costUsd: 7 }
  const old = Array.from({ length: MOST_TURNS }, () => [call(100), turn()]).flat()
  const fresh = Array.from({ length: MOST_TURNS }, () => [total, turn()]).flat()
  expect(costsOf(...old, ...fresh).estimate({ agent: 'claude', model: null })).toEqual({
    median: 7,
    high: 7,
    turns: MOST_TURNS,
  })
})

test('nothing is made up: another agent, another model, and costs that are unknown or known in parts say nothing', () => {
  const costs = costsOf(
    call(null),
    turn(),
    call(1),
    call(null),
    turn(),
    turn(),
    call(3, { model: 'other' }),
    turn({ model: 'other' }),
  )
  expect(costs.estimate({ agent: 'claude', model: 'm' })).toBeNull()
  expect(costs.estimate({ agent: 'codex', model: null })).toBeNull()
  expect(costs.estimate({ agent: 'claude', model: 'other' })).toEqual({ median: 3, high: 3, turns: 1 })
})

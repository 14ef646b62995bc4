import { array, assert, constantFrom, nat, oneof, property, record as object, tuple, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usageCsv } from '../../src/usage/csv.ts'
import { daysSince } from '../../src/usage/days.ts'
import { cellsOf, groupsOf, sumOfCells, usageGroupings } from '../../src/usage/groups.ts'
import type { UsageRecord } from '../../src/usage/record.ts'
import { usageReport, usageReportSchema } from '../../src/usage/report.ts'
import { sumOf } from '../../src/usage/sums.ts'
import { usageTable } from '../../src/usage/table.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()
const DAY = 24 * 3600 * 1000

const place = object({
  at: nat(5).map(days => NOON - days * DAY),
  session: constantFrom('', 's1', 's2'),
  folder: constantFrom('/app', '/web'),
  agent: constantFrom('', 'zot', 'claude'),
  provider: constantFrom('', 'openai'),
  model: constantFrom('', 'gpt'),
})
const count = nat(1000)
const record: Arbitrary<UsageRecord> = oneof(
  tuple(place, count, count, count, count).map(([all, input, output, cacheRead, cacheWrite]): UsageRecord =>
    Object.assign(
      { kind: 'call' as const, usage: { input, output, cacheRead, cacheWrite, costUsd: input / 4, reasoning: null } },
      all,
    ),
  ),
  tuple(place, count, constantFrom('turn', 'wait')).map(([all, duration, kind]): UsageRecord =>
    Object.assign({ kind, duration }, all),
  ),
  tuple(place, count).map(([all, costUsd]): UsageRecord => Object.assign({ kind: 'cost' as const, costUsd }, all)),
  place.map((all): UsageRecord => Object.assign({ kind: 'unreported' as const }, all)),
)

const turnOf = (of: Partial<UsageRecord>): UsageRecord => ({
  at: NOON,
  session: '',
  folder: '/app',
  agent: 'zot',
  provider: '',
  model: 'm',
  ...of,
  kind: 'turn',
  duration: 1000,
})
const callOf = (costUsd: number | null, of: Partial<UsageRecord> = {}): UsageRecord => ({
  ...turnOf(of),
  kind: 'call',
  usage: { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, costUsd, reasoning: null },
})

describe('groups of usage', () => {
  test('add up to the sum of the records, by day, model, agent and folder', () => {
    assert(
      property(array(record, { maxLength: 40 }), records => {
        const cells = cellsOf(records)
        const sums = usageGroupings.map(grouping =>
          sumOfCells(groupsOf(cells, grouping).map(({ sum }) => ({ day: '', model: '', agent: '', folder: '', sum }))),
        )
        for (const sum of [...sums, sumOfCells(cells)]) expect(sum).toEqual(sumOf(records))
      }),
      { numRuns: 500 },
    )
  })

  test.each<[name: string, costs: (number | null)[], costUsd: number | null, isPartial: boolean]>([
    ['know no cost if no call has one', [null, null], null, false],
    ['have a minimum if only some calls have a cost', [null, 0.5], 0.5, true],
    ['add known costs', [0.25, 0.5], 0.75, false],
  ])('%s', (_name, costs, costUsd, isPartial) => {
    const cells = cellsOf(costs.map((cost, index) => callOf(cost, { agent: `agent ${index}` })))
    expect(sumOfCells(cells)).toMatchObject({ costUsd, isPartial })
  })

  test('are days from the oldest on, and all others from the largest cost on', () => {
    const cells = cellsOf([
      callOf(0.25, { agent: 'small' }),
      callOf(0.5, { agent: 'large', at: NOON - DAY }),
      turnOf({ agent: '' }),
    ])
    expect(groupsOf(cells, 'day').map(({ name }) => name)).toEqual(['2026-11-21', '2026-11-22'])
    expect(groupsOf(cells, 'agent').map(({ name }) => name)).toEqual(['large', 'small', 'unknown'])
  })
})

describe('a report', () => {
  test('has all groups, and the rows that are asked for', () => {
    const report = usageReport([callOf(0.25), turnOf({})], 7, 'agent')
    expect(usageReportSchema.parse(report)).toEqual(report)
    expect(report).toMatchObject({ byAgent: { zot: { turns: 1 } }, byFolder: { '/app': { calls: 1 } }, by: 'agent' })
    expect(report.rows?.map(({ name, costUsd }) => [name, costUsd])).toEqual([['zot', 0.25]])
    expect(usageReport([], 7)).not.toHaveProperty('rows')
  })

  test('as CSV has a line for each group, and names that no spreadsheet takes for a formula', () => {
    const records = [callOf(0.25), callOf(null, { agent: '=1+1' }), callOf(0.125, { agent: 'a "b", c\n\x1b[31m' })]
    expect(usageCsv(groupsOf(cellsOf(records), 'agent'), 'agent').split('\r\n')).toEqual([
      'agent,turns,calls,input,cache_read,cache_write,output,cost_usd,cost_is_partial,duration_ms,waits,waited_ms',
      'zot,0,1,10,30,0,5,0.25,false,0,0,0',
      '"a ""b"", c ␛[31m",0,1,10,30,0,5,0.125,false,0,0,0',
      "'=1+1,0,1,10,30,0,5,,false,0,0,0",
      '',
    ])
  })

  test('as a table has a column for waiting only where an agent waited', () => {
    const [first] = groupsOf(cellsOf([turnOf({})]), 'agent')
    const [waiting] = groupsOf(cellsOf([{ ...turnOf({}), kind: 'wait', duration: 65_000 }]), 'agent')
    if (!first || !waiting) throw new Error('a group is missing')
    expect(usageTable('agent', [first], false)[0]).not.toContain('waited')
    expect(usageTable('agent', [waiting], false).map(row => row.at(-1))).toEqual(['waited', '1m05s'])
  })
})

test('the days since a day include both, over a change of the clocks and for a name that is no day', () => {
  expect(daysSince('2026-11-22', NOON)).toBe(1)
  expect(daysSince('2026-03-01', NOON)).toBe(267)
  expect(daysSince('2030-01-01', NOON)).toBe(1)
  expect(daysSince('', NOON)).toBe(1)
})

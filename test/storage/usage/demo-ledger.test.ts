import { expect, test } from 'vitest'
import { openDemoLedger } from '../../../src/storage/usage/demo-ledger.ts'
import { recordSchema } from '../../../src/usage/record.ts'
import { sumOf } from '../../../src/usage/sums.ts'
import { accepted, costs, ended, prompt, started, timed } from '../../conversation/events.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()

test('the demo makes up the same days at each start, and says so', () => {
  const [one, other] = [openDemoLedger('/app', () => NOON), openDemoLedger('/app', () => NOON)]
  expect(one.note).toContain('made up')
  expect(one.read(90)).toEqual(other.read(90))
  expect(one.days()).toHaveLength(74)
  expect(one.read(1)).toEqual([])
  for (const record of one.read(90)) expect(recordSchema.parse(record)).toEqual(record)
})

test('the demo adds what it uses itself, and stores nothing', () => {
  const ledger = openDemoLedger('/app', () => NOON)
  ledger.add(timed([started, prompt('go'), accepted, costs({ input: 1, costUsd: 0.25 }), ended], NOON), '')
  expect(sumOf(ledger.read(1))).toMatchObject({ turns: 1, costUsd: 0.25 })
  expect(ledger.days()[0]).toBe('2026-11-22')
  expect([...ledger.readDay('2026-11-22')].flat()).toHaveLength(2)
})

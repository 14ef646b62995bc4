import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridRows } from '../../../../src/commands/agent/context/window-grid.ts'

const none = { sign: '-', tokens: 0 }

test('the grid shows the shares in order, then free space, then the reserve for compaction', () => {
  const rows = gridRows(
    [
      { sign: 's', tokens: 1000 },
      { sign: 'p', tokens: 1 },
      { sign: 't', tokens: 20_000 },
      { sign: 'r', tokens: 0 },
    ],
    '.',
    { sign: '-', tokens: 20_000 },
    { window: 200_000, columns: 80 },
  )
  expect(rows[0]).toBe('s p t t t t t t t t t t t t t t t t t t')
  expect(rows[1]).toBe('t t . . . . . . . . . . . . . . . . . .')
  expect(rows[9]).toBe('- - - - - - - - - - - - - - - - - - - -')
})

test('used space covers the reserve for compaction', () => {
  const rows = gridRows(
    [{ sign: 't', tokens: 190_000 }],
    '.',
    { sign: '-', tokens: 30_000 },
    { window: 200_000, columns: 80 },
  )
  expect(rows[9]).toBe('t t t t t t t t t t - - - - - - - - - -')
})

test('the grid always has two hundred signs, in as many columns as fit', () => {
  const share = fc.record({ sign: fc.constantFrom('a', 'b'), tokens: fc.double({ min: -5, max: 1e7, noNaN: true }) })
  fc.assert(
    fc.property(
      fc.array(share),
      fc.nat(1e7),
      fc.nat(1e7),
      fc.integer({ min: 1, max: 100 }),
      (shares, kept, window, columns) => {
        const rows = gridRows(shares, '.', { ...none, tokens: kept }, { window, columns })
        expect(rows.flatMap(row => row.split(' '))).toHaveLength(200)
        for (const row of rows) expect(row.length).toBeLessThanOrEqual(Math.min(39, columns))
      },
    ),
  )
})

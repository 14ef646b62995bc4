import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteLength, countNewlines } from '../../../src/text/lines/measure.ts'

const long = fc
  .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20_000 }))
  .map(([text, times]) => text.repeat(times))

test('The number of bytes is that of the encoded text, however long it is', () => {
  fc.assert(
    fc.property(long, text => {
      expect(byteLength(text)).toBe(Buffer.byteLength(text))
    }),
  )
})

test('Newlines are counted between two offsets', () => {
  expect(countNewlines('a\nb\nc')).toBe(2)
  expect(countNewlines('a\nb\nc', 2)).toBe(1)
  expect(countNewlines('a\nb\nc\n', 0, 3)).toBe(1)
  expect(countNewlines('')).toBe(0)
})

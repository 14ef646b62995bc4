import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PrefixSums } from '../../../src/viewer/document/prefix-sums.ts'

const value = fc.option(fc.nat(5))
const step = fc.oneof(fc.record({ set: fc.nat(30), value }), fc.record({ cut: fc.nat(30) }))

test('prefix sums equal plain sums after any insertions and cuts', () => {
  const property = fc.property(fc.array(step, { maxLength: 60 }), steps => {
    const sums = new PrefixSums()
    let plain: (number | null)[] = []
    for (const each of steps) {
      if ('cut' in each) {
        sums.cut(each.cut)
        plain = plain.slice(0, each.cut)
      } else {
        sums.set(each.set, each.value)
        while (plain.length <= each.set) plain.push(null)
        plain[each.set] = each.value
      }
    }
    const before = (index: number): number => plain.slice(0, index).reduce<number>((sum, one) => sum + (one ?? 0), 0)
    expect(sums.length).toBe(plain.length)
    expect(sums.isKnown).toBe(!plain.includes(null))
    for (let index = 0; index <= plain.length; index += 1) expect(sums.before(index)).toBe(before(index))
  })
  fc.assert(property)
})

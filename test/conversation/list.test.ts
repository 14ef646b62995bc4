import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { List } from '../../src/conversation/list.ts'

/** A change, to a list and to an array of the same numbers. */
type Change = { to: (list: List<number>) => List<number>; of: (array: readonly number[]) => readonly number[] }

const place = fc.nat(999)
const grow: fc.Arbitrary<Change> = fc.nat(300).map(count => ({
  to: list => Array.from({ length: count }, (_, index) => index).reduce((grown, item) => grown.plus(item), list),
  of: array => [...array, ...Array.from({ length: count }, (_, index) => index)],
}))
const growAtOnce: fc.Arbitrary<Change> = fc.array(fc.nat(), { maxLength: 600 }).map(items => ({
  to: list => list.plusAll(items),
  of: array => [...array, ...items],
}))
const replace: fc.Arbitrary<Change> = place.map(at => ({
  to: list => (at < list.length ? list.with(at, -1) : list),
  of: array => (at < array.length ? array.with(at, -1) : array),
}))
const double: fc.Arbitrary<Change> = fc.tuple(place, place).map(([from, to]) => ({
  to: list => list.changed(from, to, item => item * 2),
  of: array => array.map((item, index) => (index >= from && index < to ? item * 2 : item)),
}))
const changes = fc.array(fc.oneof(grow, growAtOnce, replace, double), { maxLength: 12 })

const isEven = (item: number): boolean => item % 2 === 0

test('the list behaves like an array and never changes', () => {
  fc.assert(
    fc.property(changes, place, (many, from) => {
      let list = List.of<number>([])
      let array: readonly number[] = []
      const before: [List<number>, readonly number[]][] = []
      for (const { to, of } of many) {
        list = to(list)
        array = of(array)
        before.push([list, array])
      }
      for (const [was, should] of before) expect([...was]).toEqual(should)
      expect(list.length).toBe(array.length)
      expect(list.slice(from)).toEqual(array.slice(from))
      expect([...List.of(array)]).toEqual(array)
      expect([-1, 0, from].map(at => list.get(at))).toEqual([undefined, array[0], array[from]])
      expect(list.findLast(isEven)).toBe(array.findLast(isEven))
      const index = array.findLastIndex(isEven)
      expect(list.findLastIndex(isEven, from)).toBe(index >= from ? index : -1)
    }),
  )
})

describe('the list reuses what does not change', () => {
  test('returns itself if no item changes', () => {
    const list = List.of([1, 2, 3])
    expect(list.changed(0, 3, item => item)).toBe(list)
    expect(list.changed(3, 9, () => 0)).toBe(list)
  })

  test('reads only the items in the range of a change', () => {
    const asked: number[] = []
    const list = List.of(Array.from({ length: 1000 }, (_, index) => index))
    list.changed(511, 513, item => {
      asked.push(item)
      return item
    })
    expect(asked).toEqual([511, 512])
  })
})

test('the differences of two lists are the places with another item', () => {
  const items = Array.from({ length: 1000 }, (_, at) => ({ at }))
  const before = List.of(items)
  const after = before.with(3, { at: -1 }).with(700, { at: -2 }).plus({ at: -3 })
  expect([...after.differences(before)]).toEqual([3, 700, 1000])
  expect([...before.differences(before)]).toEqual([])
  expect([...List.of(items.slice(0, 2)).differences(null)]).toEqual([0, 1])
})

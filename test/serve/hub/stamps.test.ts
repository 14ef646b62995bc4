import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Stamps } from '../../../src/serve/hub/stamps.ts'
import { runs } from '../../helpers/length.ts'

const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 400 }), added: fc.nat({ max: 700 }) })

test('the places that changed after a moment are those whose content is another one', () => {
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 12 }), moments => {
      const stamps = new Stamps()
      const states: string[][] = [[]]
      let made = 0
      for (const [moment, edits] of moments.entries()) {
        const now = [...(states.at(-1) ?? [])]
        const fitting = edits.map(({ at, removed, added }) => {
          const place = at % (now.length + 1)
          const gone = Math.min(removed, now.length - place)
          now.splice(place, gone, ...Array.from({ length: added }, () => `block ${(made += 1)}`))
          return { at: place, removed: gone, added }
        })
        stamps.note(fitting, moment + 1)
        states.push(now)
      }
      const last = states.at(-1) ?? []
      expect(stamps.length).toBe(last.length)
      for (const [moment, state] of states.entries()) {
        const changed = last.flatMap((block, at) => (block === state[at] ? [] : [at]))
        const found = stamps.since(moment, Infinity)
        // Never too few; the same place may have been another one in between.
        expect(changed.filter(at => !found?.includes(at))).toEqual([])
        const few = stamps.since(moment, 10)
        expect(few).toEqual((found?.length ?? 0) > 10 ? null : found)
      }
    }),
    runs(200),
  )
})

test('a change of one of 100,000 is found without a look at the others', () => {
  const stamps = new Stamps()
  stamps.note([{ at: 0, removed: 0, added: 100_000 }], 1)
  stamps.note([{ at: 77_777, removed: 1, added: 1 }], 2)
  expect(stamps.since(1, 200)).toEqual([77_777])
  expect(stamps.since(0, 200)).toBeNull()
})

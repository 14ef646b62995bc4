/** The search: what it finds is what stands in the rows, in their order, however it was asked. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ViewerDocument } from '../../../components/pages/transcript/document/document.ts'
import type { DocumentPlace } from '../../../components/pages/transcript/state.ts'
import type { ReadCall } from '../../../components/pages/transcript/document/output-loader.ts'
import { DocumentSearch } from '../../../components/pages/transcript/search.ts'
import { anyEvents } from '../../conversation/arbitrary-events.ts'
import {
  answered,
  answering,
  accepted,
  chatAfter,
  ended,
  fold,
  prompt,
  says,
  started,
  step,
  stops,
  text,
  timed,
} from '../../conversation/events.ts'
import { theme } from '../stage.ts'
import { textsOf } from '../../helpers/lines.ts'

/** There is nothing to read back. */
function* nothing(): ReturnType<ReadCall> {
  yield
  return null
}

const look = { theme, width: 40, raw: false }

/** Every row that has it in it, by looking at all of them. */
function plainly(document: ViewerDocument, query: string): DocumentPlace[] {
  return document.sections.flatMap((_, section) =>
    Array.from({ length: document.blocksIn(section) }).flatMap((_, block) => {
      const found = document.blockAt({ section, block })
      const rows = found ? document.text(found).split('\n') : []
      return rows.flatMap((row, at) => (row.toLowerCase().includes(query) ? [{ section, block, row: at }] : []))
    }),
  )
}

test('the search finds each row once, counts the rows, and wraps around in both directions', () => {
  const property = fc.property(
    anyEvents,
    fc.constantFrom('a', 'e', 'the', 'line'),
    fc.nat(5),
    (events, query, from) => {
      const document = new ViewerDocument(look, nothing)
      document.follow(fold(timed(events)), 0, 0)
      const all = plainly(document, query)
      const search = new DocumentSearch(query, Math.min(from, Math.max(0, document.sections.length - 1)))
      while (search.step(document));
      expect(search.isDone(document)).toBe(true)
      expect(search.count).toBe(all.length)
      for (const [index, place] of all.entries()) {
        expect(search.numberOf(place)).toBe(index + 1)
        expect(search.next(place, 1)).toEqual(all[(index + 1) % all.length])
        expect(search.next(place, -1)).toEqual(all.at(index - 1))
      }
    },
  )
  fc.assert(property, { numRuns: 60 })
})

const answers = (words: string) => [says(words), answered(text(words)), stops('end'), ended]
const asks = (words: string) => [prompt(words), accepted, step(1), answering]

test('the search is case-sensitive if it contains a capital', () => {
  const document = new ViewerDocument(look, nothing)
  document.follow(chatAfter(started, ...asks('go'), ...answers('one One ONE\n\none')), 0, 0)
  const count = (query: string): number => {
    const search = new DocumentSearch(query, 0)
    while (search.step(document));
    return search.count
  }
  expect(count('one')).toBe(2)
  expect(count('One')).toBe(1)
})

test('a row is the same whether it was cached or is drawn again', () => {
  const document = new ViewerDocument(look, nothing)
  document.follow(chatAfter(started, ...asks('go'), ...answers('a line\n\n'.repeat(200))), 0, 0)
  while (document.prepare());
  const block = document.blockAt({ section: 0, block: 1 })
  expect(block && document.text(block)).toBe(block && textsOf(document.rows(block)).join('\n'))
})

/** /find: what is found as one types, and what its keys do. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptRows } from '../../../components/pages/find/excerpt.ts'
import { fieldOf } from '../../../components/pages/find/field.ts'
import { findKeys } from '../../../components/pages/find/keys.ts'
import { findAfter } from '../../../components/pages/find/moves.ts'
import { createFindReader } from '../../../components/pages/find/reading.ts'
import { findCaret, findRows } from '../../../components/pages/find/rows.ts'
import {
  initialFind,
  nothingFound,
  selectedIndex,
  type FindMove,
  type FindState,
} from '../../../components/pages/find/state.ts'
import type { PageInput } from '../../../components/pages/page-input.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import { initialState } from '../../../src/state/state.ts'
import { wordsAt } from '../../../components/pages/find/words-at.ts'
import type { FindPageRequest, FoundPassage } from '../../../src/app/pages/pages.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { anyText } from '../../conversation/arbitrary-events.ts'
import { textsOf } from '../../helpers/lines.ts'
import { startup, theme } from '../stage.ts'
import { findRequestFor, passage } from './passages.ts'
import { settled, stage, type Stage } from './stage.ts'

const many = Array.from({ length: 30 }, (_, index) =>
  passage({
    place: { session: `s${index}`, at: index, call: null },
    title: `Session ${index}`,
    kind: index % 2 === 0 ? 'command' : 'answer',
    folder: index % 3 === 0 ? '/home/me/app' : '/home/me/lib',
    failed: index === 4,
  }),
)

async function opened(all: readonly FoundPassage[], rest: Partial<FindPageRequest> = {}): Promise<Stage> {
  const on = await stage()
  on.open('find', findRequestFor(all, rest))
  await settled()
  return on
}

const screenOf = (on: Stage): string => on.rows().join('\n')

test('searches for the given words, and shows each passage with its session', async () => {
  const on = await opened([passage({ folder: '/home/me/lib', failed: true })])
  expect(on.rows()[0]).toMatch(/^ {2}find {2}length +1 found$/)
  expect(on.rows()[3]).toMatch(/^. Fix the parser +answer, failed +lib +zot +now$/)
  expect(on.rows()[4]).toBe('    the length counts UTF-16 units')
})

test('what is typed is searched for, and the best passage is selected', async () => {
  const on = await opened(many, { words: 'Session' })
  await on.press('down', 'down')
  await on.type(' 17')
  expect(on.rows()[3]).toContain('Session 17')
  await on.press('backspace', 'backspace')
  expect(on.rows()[3]).toMatch(/^[^ ] Session 0 /)
})

test('an answer that comes late does not replace that of a later question', async () => {
  const waiting: (() => void)[] = []
  const on = await opened([], {
    words: '',
    ask: async ({ typed }) => {
      if (typed === 'a') await new Promise<void>(resolve => waiting.push(resolve))
      return { ok: true, found: [passage({ title: `for ${typed}` })], share: 1, isCut: false }
    },
  })
  await on.type('a')
  await on.type('b')
  waiting.forEach(resolve => resolve())
  await settled()
  expect(screenOf(on)).toContain('for ab')
})

test('Tab goes through the kinds, and Ctrl+A narrows it to this folder', async () => {
  const on = await opened(many, { words: '' })
  expect(on.rows()[1]).toBe('  [all]  prompts  answers  commands  results  diffs  files   in all folders')
  await on.press('tab')
  expect(on.rows()[1]).toContain('[prompts]')
  expect(on.rows()[3]).not.toContain('Session')
  await on.press('tab')
  expect(on.rows()[0]).toContain('15 found')
  await on.press('ctrl+a')
  expect(on.rows()[0]).toContain('5 found')
  expect(on.rows()[1]).toContain('in this folder')
  await on.press('shift+tab', 'shift+tab')
  expect(on.rows()[1]).toContain('[all]')
})

test('the selected passage is always seen, and shows more of its words', async () => {
  const words = `${'words before it '.repeat(20)}needle${' and behind'.repeat(20)}`
  const long = many.map(each => ({ ...each, excerpt: words, matches: [[320, 326]] as const }))
  const on = await opened(long, { words: 'needle' })
  const heights = [
    await seen(),
    await seen('pagedown'),
    await seen('ctrl+end'),
    await seen('up'),
    await seen('ctrl+home'),
  ]
  expect(heights).toEqual([5, 5, 5, 5, 5])

  /** The rows of the selected passage. */
  async function seen(...keys: readonly string[]): Promise<number> {
    await on.press(...keys)
    const rows = on.rows().slice(3, -1)
    const at = rows.findIndex(row => row.startsWith('›') || row.startsWith('❯') || /^\S/.test(row))
    expect(at).toBeGreaterThanOrEqual(0)
    const next = rows.slice(at + 1).findIndex(row => !row.startsWith('    '))
    return next < 0 ? rows.length - at - 1 : next
  }
})

test('Enter shows the place in its session, and Esc comes back to the passages', async () => {
  const on = await opened(many, { words: 'Session' })
  await on.press('down', 'enter')
  expect(on.page()).toBe('viewer')
  expect(screenOf(on)).toContain('Sessions are not stored here.')
  await on.press('escape')
  expect(on.page()).toBe('find')
  expect(on.rows()[5]).toMatch(/^[^ ] Session 1 /)
  await on.press('escape')
  expect(on.isOpen()).toBe(false)
})

test('leaving the program closes the session and the search below it', async () => {
  const on = await opened(many, { words: 'Session' })
  await on.press('enter')
  void on.controller.leave()
  expect([on.page(), on.isOpen()]).toEqual([null, false])
})

test('Alt+Enter goes on from the passage, Ctrl+Y quotes it, and both close the page', async () => {
  const done: string[] = []
  const request: Partial<FindPageRequest> = {
    words: 'Session',
    continueFrom: ({ title }) => done.push(`goes on from ${title}`),
    quote: ({ title }) => done.push(`quotes ${title}`),
  }
  for (const key of ['alt+enter', 'ctrl+y']) {
    const on = await opened(many, request)
    await on.press('down', key)
    expect(on.isOpen()).toBe(false)
  }
  expect(done).toEqual(['goes on from Session 1', 'quotes Session 1'])
})

test('says how much is searched so far, and what went wrong', async () => {
  const part = { ok: true, found: [passage({})], share: 0.84, isCut: true } as const
  expect((await opened([], { ask: async () => part })).rows().at(-1)).toContain(
    '84 % of your sessions are searched so far',
  )
  const broken = await opened([], { ask: async () => ({ ok: false, why: 'The index\u001B[2J is broken.' }) })
  expect(broken.rows()[3]).toBe('  The index␛[2J is broken.')
  const full = await opened([passage({})], { catchUp: async () => 'The disk is full.' })
  expect(full.rows().at(-1)).toContain('The disk is full.')
})

test('what was searched for last is there again', async () => {
  const on = await opened(many, { words: 'Session 2' })
  await on.press('tab', 'escape')
  on.open('find', findRequestFor(many, { words: '' }))
  await settled()
  expect(on.rows()[0]).toContain('Session 2')
  expect(on.rows()[1]).toContain('[prompts]')
})

test('text from sessions cannot write to the terminal', async () => {
  const on = await opened([
    passage({
      title: 'a\u001B]0;title\u0007b',
      agent: '\u001B[31m',
      folder: '/x/\u009B2J',
      excerpt: 'length\u001B[2J\nof it',
      matches: [
        [0, 6],
        [3, 9000],
      ],
    }),
  ])
  expect(screenOf(on)).not.toMatch(/[\u001B\u0007\u009B]/)
  expect(on.rows()[4]).toContain('length␛[2J of it')
})

test.each([80, 40, 20])('a match is seen in %i columns, whatever stands before it', columns => {
  const before = '日本語 and more words '.repeat(8)
  const found = passage({
    excerpt: `${before}needle${' after'.repeat(30)}`,
    matches: [[before.length, before.length + 6]],
  })
  const context = { theme, size: { columns, rows: 20 }, keys: [] }
  const [row = ''] = textsOf(excerptRows(found, 1, context))
  expect(row).toContain('needle')
  expect(displayWidth(row)).toBeLessThanOrEqual(columns)
})

test('whatever is found and pressed, the rows fit the screen, and the chosen passage is seen', () => {
  const found = fc.record({
    excerpt: anyText,
    title: anyText,
    folder: anyText,
    agent: anyText,
    failed: fc.boolean(),
    matches: fc.array(fc.tuple(fc.integer({ min: -2, max: 60 }), fc.integer({ min: -2, max: 60 })), { maxLength: 4 }),
  })
  const input = fc.oneof(
    fc
      .constantFrom(...findKeys.rows.map(({ how }) => how))
      .map(move => ({ kind: 'move', move }) as PageInput<FindMove>),
    anyText.map((text): PageInput<FindMove> => ({ kind: 'text', text })),
    fc.constantFrom(1, -1).map((by): PageInput<FindMove> => ({ kind: 'wheel', by })),
    fc.nat(30).map((y): PageInput<FindMove> => ({ kind: 'click', x: 0, y })),
  )
  const sizes = fc.record({ columns: fc.integer({ min: 20, max: 130 }), rows: fc.integer({ min: 6, max: 40 }) })
  fc.assert(
    fc.property(
      fc.array(found, { maxLength: 30 }),
      fc.array(input, { maxLength: 12 }),
      sizes,
      (facts, inputs, size) => {
        const read = createFindReader('/here')
        const app = initialState(startup, 0)
        const passages = facts.map(each => passage(each))
        let state: FindState = { ...initialFind('a', {}), found: { ...nothingFound, passages } }
        for (const each of inputs) {
          const reading = read(state, app, { theme, size, keys: [] })
          const rows = rowsOfPage(findRows(reading))
          expect(rows).toHaveLength(size.rows)
          expect(Math.max(...rows.map(row => row.width))).toBeLessThanOrEqual(size.columns)
          expect(reading.seen.some(({ index }) => index === selectedIndex(state))).toBe(passages.length > 0)
          expect(findCaret(reading).x).toBeLessThan(size.columns)
          state = findAfter(reading, each) ?? state
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the field shows the caret, however long the text is', () => {
  expect(fieldOf({ text: 'abcdef', caret: 6 }, 10)).toEqual({ text: 'abcdef', caret: 6 })
  expect(fieldOf({ text: 'abcdef', caret: 6 }, 4)).toEqual({ text: 'def', caret: 3 })
  expect(fieldOf({ text: '日本語', caret: 3 }, 4)).toEqual({ text: '語', caret: 2 })
})

test('the viewer searches for the matches that stand together', () => {
  const excerpt = 'the needle in the hay stack needle'
  expect(
    wordsAt({
      excerpt,
      matches: [
        [4, 10],
        [18, 21],
        [22, 27],
        [28, 34],
      ],
    }),
  ).toBe('hay stack needle')
  expect(wordsAt({ excerpt, matches: [] })).toBe('')
})

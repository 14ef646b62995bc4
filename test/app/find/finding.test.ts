import { expect, test } from 'vitest'
import { findRequest } from '../../../src/app/find/finding.ts'
import { quoteOf } from '../../../src/app/find/quote.ts'
import type { FindQuery, SessionFinder } from '../../../src/storage/find/passage.ts'
import { passage } from '../../components/pages/passages.ts'

type Parts = Parameters<typeof findRequest>[0]

/** A request over a finder that notes what it is asked, and an editor. */
function stage(finder: Partial<SessionFinder> | null = {}) {
  const asked: FindQuery[] = []
  let draft = ''
  let opened = 0
  const done: string[] = []
  const context = {
    host: { folder: '/home/me/app', home: '/home/me' },
    now: () => 0,
    hint: () => undefined,
    sessions: { flush: () => done.push('flush') },
    state: () => ({ editor: { text: draft } }),
    ...(finder && {
      openSessionFinder: async () => {
        opened += 1
        return {
          find: async (query: FindQuery) => {
            asked.push(query)
            return { ok: true, found: [], share: 1, isCut: false }
          },
          catchUp: async () => (done.push('catch up'), null),
          close: () => undefined,
          ...finder,
        }
      },
    }),
  }
  const composing = {
    edit: (command: Parameters<Parts['composing']['edit']>[0]) => {
      if (command.kind === 'paste') draft += command.text
    },
  }
  const request = findRequest({ context, composing } as unknown as Parts, '')
  return { request, asked, done, draft: (text = draft) => (draft = text), opened: () => opened }
}

test('keys and typed filters narrow the search', async () => {
  const { request, asked } = stage()
  await request.ask({ typed: 'npm agent:zot kind:diff', kind: null, isHere: false })
  await request.ask({ typed: 'npm folder:/x', kind: 'command', isHere: true })
  expect(asked).toEqual([
    { words: 'npm', folder: null, agent: 'zot', since: null, kinds: ['diff'], failed: false },
    { words: 'npm', folder: '/home/me/app', agent: null, since: null, kinds: ['command'], failed: false },
  ])
})

test('without words and filters nothing is asked for, and nothing is opened', async () => {
  const { request, asked, opened } = stage()
  expect(await request.ask({ typed: '  ', kind: null, isHere: true })).toMatchObject({ ok: true, found: [] })
  expect([asked, opened()]).toEqual([[], 0])
})

test('a typed folder is a filter like the others', async () => {
  const { request, asked } = stage()
  await request.ask({ typed: 'folder:lib', kind: null, isHere: false })
  expect(asked).toMatchObject([{ words: '', folder: 'lib' }])
})

test('the newest words of the open session are written before the index reads it', async () => {
  const { request, done } = stage()
  await request.catchUp()
  expect(done).toEqual(['flush', 'catch up'])
})

test('the index is opened once', async () => {
  const { request, opened } = stage()
  await Promise.all([request.catchUp(), request.ask({ typed: 'a', kind: null, isHere: false })])
  expect(opened()).toBe(1)
})

test('without an index, that is said', async () => {
  const { request } = stage(null)
  const why = 'Sessions cannot be searched here.'
  expect(await request.ask({ typed: 'a', kind: null, isHere: false })).toEqual({ ok: false, why })
  expect(await request.catchUp()).toBe(why)
})

test('a quote stands below the draft, which stays', () => {
  const { request, draft } = stage()
  draft('Look at this:')
  request.quote(passage({ place: { session: 's', at: 1_795_000_000_000, call: null } }))
  expect(draft()).toBe(
    'Look at this:\n\nFrom an answer in the session "Fix the parser", 2026-11-18:\n> the length counts UTF-16 units\n',
  )
})

test.each([0, 23])('a quote names the day as it was here, also at hour %i', hour => {
  const at = new Date(2026, 10, 18, hour, 30).getTime()
  expect(quoteOf(passage({ place: { session: 's', at, call: null } }))).toContain(', 2026-11-18:')
})

test('a quote has no control characters, and stays on its line', () => {
  expect(quoteOf(passage({ title: '', excerpt: 'a\n> b\u001B[2J' }))).toBe(
    'From an answer in the session s, 1970-01-01:\n> a > b␛[2J\n',
  )
})

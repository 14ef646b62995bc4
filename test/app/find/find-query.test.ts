import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedQuery } from '../../../src/app/find/find-query.ts'
import { inheritedNames } from '../../helpers/inherited-names.ts'

const DAY = 86_400_000
const place = { now: 100 * DAY, folder: '/home/me/app', home: '/home/me' }
const read = (typed: string) => typedQuery(typed, place)
const nothing = { words: '', folder: null, agent: null, since: null, kinds: null, failed: false }

test.each([
  ['parser bug', { words: 'parser bug' }],
  ['"two words" more', { words: '"two words" more' }],
  ['agent:zot parser', { words: 'parser', agent: 'zot' }],
  ['agent:"Claude Code" x', { words: 'x', agent: 'Claude Code' }],
  ['parser since:2w', { words: 'parser', since: 86 * DAY }],
  ['kind:command,results npm', { words: 'npm', kinds: ['command', 'result'] }],
  ['failed: npm test', { words: 'npm test', failed: true }],
  ['folder:. x', { words: 'x', folder: '/home/me/app' }],
  ['folder:~/lib x', { words: 'x', folder: '/home/me/lib' }],
  ['folder:../lib x', { words: 'x', folder: '/home/me/lib' }],
  ['folder:"/my notes" x', { words: 'x', folder: '/my notes' }],
  ['folder:lib x', { words: 'x', folder: 'lib' }],
  ['AGENT:zot Kind:Diff', { agent: 'zot', kinds: ['diff'] }],
  ['agent:zot agent:claude', { agent: 'claude' }],
])('%s', (typed, query) => {
  expect(read(typed)).toEqual({ ...nothing, ...query })
})

test.each(['kind:nothing', 'since:yesterday', 'failed:maybe', 'agent:', 'http://localhost', 'a:b', '"agent:zot"'])(
  '%s is searched as text',
  typed => {
    expect(read(typed)).toEqual({ ...nothing, words: typed })
  },
)

test('names that every object has are no filters', () => {
  for (const name of inheritedNames) expect(read(`${name}:x`)).toEqual({ ...nothing, words: `${name}:x` })
})

test('whatever is typed, all of it is words or filters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), typed => {
      const words = read(`${typed} agent:zot`).words.replaceAll(/\s/g, '')
      expect(typed.replaceAll(/\s/g, '')).toContain(words.slice(0, 1))
      expect(words.length).toBeLessThanOrEqual(typed.length + 'agent:zot'.length)
    }),
    { numRuns: 500 },
  )
})

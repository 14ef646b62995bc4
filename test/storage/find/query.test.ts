/** What a query looks for. */
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasPhrases, matchOf, readQuery } from '../../../src/storage/find/query.ts'
import { timeSince } from '../../../src/storage/find/since.ts'

describe('a query', () => {
  test.each([
    ['fix the te', { words: ['fix', 'the'], beginning: 'te', phrases: [] }],
    ['fix the te ', { words: ['fix', 'the', 'te'], beginning: null, phrases: [] }],
    ['Parser.ts', { words: ['parser'], beginning: 'ts', phrases: [] }],
    ['"git push" now', { words: ['git', 'push'], beginning: 'now', phrases: ['git push'] }],
    ['"git  PUSH --force"', { words: ['git', 'push', 'force'], beginning: null, phrases: ['git push --force'] }],
    ['x "git pu', { words: ['x', 'git'], beginning: 'pu', phrases: ['git pu'] }],
    ['"=>" a', { words: [], beginning: 'a', phrases: [] }],
    ['the the', { words: ['the'], beginning: 'the', phrases: [] }],
    ['  ', { words: [], beginning: null, phrases: [] }],
  ])('%j is read as %j', (typed, expected) => {
    expect(readQuery(typed)).toEqual(expected)
  })

  test('is one that SQLite understands, whatever is typed', () => {
    const database = new DatabaseSync(':memory:')
    database.exec(`create virtual table t using fts5(text, content='', detail=none, tokenize='ascii')`)
    const ask = database.prepare('select rowid from t where t match ?')
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('"', '*', ' ', 'AND', 'NOT', 'NEAR(', ')', '^', ':', '-', '+', '東', "'", '\0', 'a'))
        .map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(typed, words => {
        const match = matchOf(readQuery(words), ['\ue001'])
        expect(match === '' ? [] : ask.all(match)).toEqual([])
      }),
      { numRuns: 2000 },
    )
    database.close()
  })

  test('of a hundred words looks for the first ones', () => {
    const typed = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ')
    expect(readQuery(typed).words).toHaveLength(32)
  })

  test('has its phrases in a text whatever the spaces and the case', () => {
    const { phrases } = readQuery('"Git push" "--force"')
    expect(hasPhrases('git\n  PUSH origin --force', phrases)).toBe(true)
    expect(hasPhrases('git pull; git pushes --forced', phrases)).toBe(true)
    expect(hasPhrases('push git --force', phrases)).toBe(false)
  })
})

describe('a time', () => {
  const now = new Date(2026, 10, 27, 12).getTime()
  test.each([
    ['12h', now - 12 * 3_600_000],
    ['2w', now - 14 * 86_400_000],
    ['2026-11-05', new Date(2026, 10, 5).getTime()],
    ['2026-02-30', null],
    ['yesterday', null],
    ['', null],
    ['99999d', null],
  ])('%j', (text, expected) => {
    expect(timeSince(text, now)).toBe(expected)
  })
})

/** The words of a text, for the index and for what is looked for. */
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexable, wordsOf } from '../../../src/storage/find/words.ts'

const words = (text: string): string[] => wordsOf(text).map(({ word }) => word)

describe('words', () => {
  test.each([
    ['Fix the FAILING test', ['fix', 'the', 'failing', 'test']],
    ['find_all(session.path)', ['find', 'all', 'session', 'path']],
    ['Café, naïve ÅNGSTRÖM', ['cafe', 'naive', 'angstrom']],
    ['cafe\u0301', ['cafe']],
    ['東京 tower', ['東', '京', 'tower']],
    ['ファイルを読む', ['フ', 'ァ', 'イ', 'ル', 'を', '読', 'む']],
    ['Привет, мир', ['привет', 'мир']],
    ['ﬁle ½ ٣', ['file', '12', '٣']],
    ['İstanbul', ['istanbul']],
    ['x'.repeat(70), ['x'.repeat(64)]],
    ['=> {} … 👍🏽', []],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('stand where they say', () => {
    const text = 'a 東京 Café\n\tend'
    expect(wordsOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(['a', '東', '京', 'Café', 'end'])
  })

  test('are those that SQLite makes of the indexed text, for any text', () => {
    const database = new DatabaseSync(':memory:')
    database.exec(`create virtual table t using fts5(text, tokenize='ascii');
      create virtual table v using fts5vocab(t, instance)`)
    const insert = database.prepare('insert into t(rowid, text) values(1, ?)')
    const read = database.prepare('select term from v order by offset')
    const anyText = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom(
          ' ',
          '_',
          '-',
          '\n',
          '\0',
          'ﬁ',
          'İ',
          'ß',
          '½',
          'Σ',
          '\u{f0001}',
          '\ue000',
          '東',
          'x'.repeat(70),
          '\ud800',
        ),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(anyText, pieces => {
        const text = pieces.join('')
        database.exec('delete from t')
        insert.run(indexable(text))
        // What is no character becomes one in SQLite, on both sides.
        const expected = words(text).map(word => word.toWellFormed())
        expect(read.all().map(({ term }) => term)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
    database.close()
  })

  test('have none of the characters that mark folders, agents and kinds', () => {
    expect(words('a\ue000b \u{f0001} \u{100001}c')).toEqual(['a', 'b', 'c'])
    expect(indexable('\ue000')).toBe('')
  })
})

import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { layout, offsetAt, rowAt, rowCount, type Layout } from '../../src/composer/layout.ts'
import { lineIndex } from '../../src/composer/line-index.ts'
import { boundaries, FAMILY, FLAG, pieces, PIECES } from './samples.ts'
import { graphemes } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { aPartOf } from '../helpers/length.ts'

const whole = (text: string, width: number, caret = text.length): Layout => layout(text, caret, width, Infinity)
const drawn = (text: string, width: number): string[] => whole(text, width).rows.map(row => row.drawn)

describe('rows', () => {
  test.each<[name: string, text: string, width: number, rows: string[]]>([
    ['an empty text has one', '', 10, ['']],
    ['a newline at the end begins one', 'a\n', 10, ['a', '']],
    ["the last column is the caret's", 'abcdefghij', 10, ['abcdefghi', 'j']],
    ['a full row stays one', 'abcdefghi', 10, ['abcdefghi']],
    ['break after blanks', 'hello big world', 10, ['hello big', 'world']],
    ['a word that does not fit moves down', 'hello worlds', 10, ['hello ', 'worlds']],
    ['a word longer than a row is cut', 'hi abcdefghijkl', 10, ['hi ', 'abcdefghi', 'jkl']],
    ['blanks that do not fit hang', 'abcdefgh    i', 10, ['abcdefgh ', 'i']],
    ['only blanks hang too', '            ', 5, ['    ']],
    ['wide characters are not cut in halves', '汉字汉字汉字', 10, ['汉字汉字', '汉字']],
    ['wide characters may part anywhere', 'ab 汉字汉字汉', 10, ['ab 汉字汉', '字汉']],
    ['a word beside a wide character may move down', '汉字汉abcd', 10, ['汉字汉', 'abcd']],
    ['emoji are one character', `${FAMILY}${FAMILY}${FLAG}`, 6, [`${FAMILY}${FAMILY}`, FLAG]],
    ['a tab goes to a multiple of four', 'a\tb\t\tc', 20, ['a   b       c']],
    ['a tab that does not fit hangs', 'abcdef\tx', 8, ['abcdef ', 'x']],
    ['a tab counts from the start of its row', 'abcdefg h\ti', 9, ['abcdefg ', 'h   i']],
    ['combining marks go with their letter', 'e\u0301'.repeat(5), 4, ['e\u0301e\u0301e\u0301', 'e\u0301e\u0301']],
    ['right-to-left text stays in its logical order', 'שלום עולם', 6, ['שלום ', 'עולם']],
    ['what is wider than a row is replaced', 'a汉b', 2, ['a', '\ufffd', 'b']],
    ['no width is too small', 'ab', 0, ['a', 'b']],
  ])('%s', (_, text, width, rows) => {
    expect(drawn(text, width)).toEqual(rows)
  })
})

describe('the caret', () => {
  test.each<[name: string, text: string, caret: number, width: number, row: number, column: number]>([
    ['after a full row', 'abcd', 4, 5, 0, 4],
    ['where a line wraps it is in the later row', 'abcdef', 4, 5, 1, 0],
    ['before a newline it is in the earlier row', 'ab\ncd', 2, 5, 0, 2],
    ['after a newline', 'ab\n', 3, 5, 1, 0],
    ['among hanging blanks it stays in the last column', 'abcd    ', 7, 5, 0, 4],
    ['after a tab', 'a\tb', 2, 10, 0, 4],
    ['after wide characters', '汉字', 2, 10, 0, 4],
    ['after emoji', `${FAMILY}${FLAG}`, FAMILY.length, 10, 0, 2],
    ['in right-to-left text it counts in logical order', 'שלום', 3, 10, 0, 3],
  ])('%s', (_, text, caret, width, row, column) => {
    expect(whole(text, width, caret)).toMatchObject({ caretRow: row, caretColumn: column })
  })
})

describe('the window', () => {
  const text = 'a\nb\nc\nd\ne'
  test.each<[name: string, caret: number, maxRows: number, first: number, caretRow: number]>([
    ['begins at the top', 0, 3, 0, 0],
    ['follows the caret down', 6, 3, 1, 2],
    ['shows no emptiness below the text', 8, 3, 2, 2],
    ['holds everything that fits', 4, 9, 0, 2],
    ['has one row at least', 4, 0, 2, 0],
  ])('%s', (_, caret, maxRows, firstRow, caretRow) => {
    expect(layout(text, caret, 10, maxRows)).toMatchObject({ firstRow, caretRow })
  })
})

const widths = fc.integer({ min: 1, max: 24 })

test('the rows joined are the text, no row is too wide, and each caret is at its place in its row', () => {
  fc.assert(
    fc.property(pieces(14), widths, (text, width) => {
      const { rows } = whole(text, width)
      expect(rowCount(text, width)).toBe(rows.length)
      const parts = rows.map((row, i) => {
        const gap = text.slice(row.end, rows[i + 1]?.start ?? text.length)
        expect(gap).toBe(row.wraps || i === rows.length - 1 ? '' : '\n')
        expect(stringWidth(row.drawn)).toBeLessThanOrEqual(Math.max(1, width - 1))
        expect(row.wraps && row.start === row.end).toBe(false)
        return text.slice(row.start, row.end) + gap
      })
      expect(parts.join('')).toBe(text)
      for (const caret of boundaries(text)) caretIsConsistent(text, caret, width, rows)
    }),
    aPartOf(500),
  )
})

const CJK = [
  '汉',
  '字',
  '。',
  '，',
  '（',
  '）',
  '「',
  '」',
  'ー',
  'っ',
  'カ',
  'ｶ',
  '한국',
  '🦀',
  '👍🏽',
  '“',
  '”',
  '(',
  ')',
  ',',
  ' ',
  'abc',
]

const withoutBlanks = (rows: string[]): string[] => rows.map(row => row.replace(/ +$/, ''))

test('a draft is broken where the same text is broken once it is printed', () => {
  const texts = fc.oneof(
    pieces(14),
    fc.array(fc.constantFrom(...CJK), { maxLength: 20 }).map(parts => parts.join('')),
  )
  fc.assert(
    // Blanks at the beginning of a line stand in a row of their own here, where a caret can be among them.
    fc.property(texts, fc.integer({ min: 3, max: 24 }), (any, width) => {
      const text = any.replaceAll(/[\t\n]/g, ' ').replace(/^ +/, '')
      // The caret cannot stand in a character, so one that is wider than a row has a sign of its own here.
      fc.pre([...graphemes(text)].every(grapheme => stringWidth(grapheme) < width))
      expect(withoutBlanks(drawn(text, width))).toEqual(withoutBlanks(wrap(text, width - 1)))
    }),
    aPartOf(2000),
  )
})

test.each<[name: string, text: string, rows: string[]]>([
  ['no row begins with a closing mark', '这是一个测试。好', ['这是一个', '测试。好']],
  ['no row ends with an opening mark', '我们说「好」', ['我们说', '「好」']],
  ['a Korean word moves down whole', '한국어 문장은', ['한국어 ', '문장은']],
  ['an emoji stays with its word', 'abc good🦀', ['abc ', 'good🦀']],
])('%s', (_, text, rows) => {
  expect(drawn(text, 10)).toEqual(rows)
})

function caretIsConsistent(text: string, caret: number, width: number, rows: Layout['rows']): void {
  const { caretRow, caretColumn } = whole(text, width, caret)
  const row = rows[caretRow]
  expect(row?.start).toBeLessThanOrEqual(caret)
  expect(row?.end).toBeGreaterThanOrEqual(caret)
  expect(caretColumn).toBeGreaterThanOrEqual(0)
  expect(caretColumn).toBeLessThan(width)
  const back = offsetAt(text, caretRow, caretColumn, width)
  expect(rowAt(text, back, width)).toMatchObject({ row: caretRow, column: caretColumn })
}

test('a layout does not depend on the layouts before it', () => {
  const long = fc.constantFrom(
    ...PIECES.map(piece => `${piece} `.repeat(900)),
    ...PIECES.map(piece => piece.repeat(2500)),
  )
  const texts = fc.oneof(
    pieces(14),
    fc.tuple(pieces(4), long, pieces(4)).map(parts => parts.join('')),
  )
  const change = fc.record({ at: fc.nat(), removed: fc.nat(40), inserted: pieces(4) })
  fc.assert(
    fc.property(texts, fc.array(change, { maxLength: 4 }), widths, (start, changes, width) => {
      let text = start
      lineIndex(text, width)
      for (const { at, removed, inserted } of changes) {
        const place = at % (text.length + 1)
        text = text.slice(0, place) + inserted + text.slice(place + removed)
        const kept = whole(text, width)
        // A stranger makes the index forget.
        whole('a stranger', width)
        expect(kept).toEqual(whole(text, width))
        lineIndex(text, width)
      }
    }),
    aPartOf(150),
  )
})

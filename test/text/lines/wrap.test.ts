import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { sanitize } from '../../../src/text/sanitize.ts'
import { firstClauses, wholeWords } from '../../../src/text/lines/clauses.ts'
import { shortenPath, truncate, truncateStart } from '../../../src/text/lines/shorten.ts'
import { displayWidth, expandTabs, graphemes, padStartTo, padTo } from '../../../src/text/lines/width.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { expandLineTabs } from '../../../src/text/lines/tabs.ts'
import { paintLine } from '../../../src/terminal/output/paint.ts'
import { hyperlink, lineFrom, paintedLines, textsOf } from '../../helpers/lines.ts'
import { aPartOf } from '../../helpers/length.ts'

const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`
const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`
const red = (text: string): string => `\x1b[31m${text}\x1b[39m`
const painted = (text: string): string => paintLine(lineFrom(text))

describe('width', () => {
  test.each([
    ['plain', 5],
    ['世界', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧‍👦', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['שלום', 4],
    [bold('世'), 2],
    ['', 0],
  ])('%s', (text, width) => {
    expect(displayWidth(lineFrom(text))).toBe(width)
  })

  test('counts padding and tabs', () => {
    expect(padTo('世', 4)).toBe('世  ')
    expect(padStartTo('12', 4)).toBe('  12')
    expect(padTo('long', 2)).toBe('long')
    expect(expandTabs('\ta\tb\n世\tc')).toBe('    a   b\n世  c')
    expect(expandTabs('ab\tc', 8)).toBe('ab      c')
    expect(paintLine(expandLineTabs(lineFrom(`a\t${red('b\t')}c`)))).toBe(`a   ${red('b   ')}c`)
  })
})

describe('wrap', () => {
  test.each<[string, number, string[]]>([
    ['hello world this is a long line', 10, ['hello', 'world this', 'is a long', 'line']],
    ['', 5, ['']],
    ['   ', 5, ['']],
    ['a\n\nb', 5, ['a', '', 'b']],
    ['  indented text here', 10, ['  indented', 'text here']],
    ['          deep', 6, ['deep']],
    ['x abcdefghijklmnop qr', 5, ['x', 'abcde', 'fghij', 'klmno', 'p qr']],
    ['世界你好、这是一个测试。abc def', 10, ['世界你好、', '这是一个测', '试。abc', 'def']],
    ['日本（語）です', 6, ['日本', '（語）', 'です']],
    ['שלום עולם', 5, ['שלום', 'עולם']],
    ['trailing   ', 20, ['trailing']],
    ['🇩🇪🇫🇷🇮🇹', 4, ['🇩🇪🇫🇷', '🇮🇹']],
  ])('%s at %i', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines)
  })

  test.each<[string, number, string[]]>([
    ['const a = 1', 4, ['cons', 't a', ' = 1']],
    ['a  b   cd', 4, ['a  b', '   c', 'd']],
    ['    x', 20, ['    x']],
    ['x    ', 20, ['x']],
  ])('breaks anywhere: %s at %i', (text, width, lines) => {
    expect(wrap(text, width, 'anywhere')).toEqual(lines)
  })

  test('carries styles over to the next lines', () => {
    expect(paintedLines(wrap(lineFrom(bold(`one ${red('two three')} four`)), 7))).toEqual([
      '\x1b[1mone \x1b[31mtwo\x1b[39m\x1b[22m',
      '\x1b[1m\x1b[31mthree\x1b[39m\x1b[22m',
      '\x1b[1mfour\x1b[22m',
    ])
    expect(paintedLines(wrap(lineFrom(hyperlink('some link', 'https://x.org')), 5))).toEqual([
      hyperlink('some', 'https://x.org'),
      hyperlink('link', 'https://x.org'),
    ])
  })

  test('ends bold and dim separately, though they share an end', () => {
    expect(painted(`\x1b[1ma\x1b[2mb\x1b[22m\x1b[1mc\x1b[0m`)).toBe('\x1b[1ma\x1b[2mb\x1b[22m\x1b[1mc\x1b[22m')
    expect(painted(dim('a') + bold('b'))).toBe(dim('a') + bold('b'))
  })

  test('reads joined parameters and extended colours', () => {
    const line = '\x1b[1;38;5;208;48;2;1;2;3mx\x1b[0m'
    expect(painted(line)).toBe('\x1b[1m\x1b[38;5;208m\x1b[48;2;1;2;3mx\x1b[49m\x1b[39m\x1b[22m')
  })

  test('makes no line too wide, leaves no trailing blank and loses no letter', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('世界', '👩‍👩‍👧‍👦', '   ', 'ा'.repeat(50)),
    )
    const styled = fc.tuple(
      word,
      fc.constantFrom(bold, red, dim, (text: string) => text),
    )
    const texts = fc.array(styled, { maxLength: 12 })
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 2, max: 40 }),
        fc.constantFrom('words' as const, 'anywhere' as const),
        check,
      ),
      aPartOf(1000),
    )
  })

  test('is linear in long lines', () => {
    for (const text of ['a', 'a ', ' ', '世', 'e\u0301', 'ा', '👍🏽', bold('a ')]) {
      const line = lineFrom(text.repeat(50_000))
      expect(wrap(line, 80).length + wrap(line, 80, 'anywhere').length).toBeLessThan(100_000)
    }
  }, 20_000)
})

function check(parts: [string, (text: string) => string][], width: number, breaking: 'words' | 'anywhere'): void {
  const line = lineFrom(parts.map(([text, paint]) => paint(sanitize(text).replaceAll(/\s/g, ' '))).join(''))
  const lines = wrap(line, width, breaking)
  for (const wrapped of lines) {
    expect(stringWidth(wrapped.text)).toBeLessThanOrEqual(width)
    expect(wrapped.text).not.toMatch(/ $/)
  }
  expect(textsOf(lines).join('').replaceAll(' ', '')).toBe(line.text.replaceAll(' ', ''))
  // Only one that is wider than a line may be cut.
  const whole = [...graphemes(line.text)].filter(grapheme => grapheme !== ' ')
  const fits = whole.every(grapheme => stringWidth(grapheme) <= width)
  const shown = lines.flatMap(({ text }) => Array.from(graphemes(text))).filter(grapheme => grapheme !== ' ')
  expect(fits ? shown : whole).toEqual(whole)
}

describe('shorten', () => {
  test.each([
    ['hello world', 8, 'hello w…'],
    ['short', 8, 'short'],
    ['世界世界', 5, '世界…'],
    ['世界世界', 4, '世…'],
    ['x', 0, ''],
    [bold('hello world'), 6, bold('hello…')],
    [red('ab') + bold('cdef'), 3, red('ab…')],
  ])('truncate %s to %i', (text, width, shown) => {
    expect(paintLine(truncate(lineFrom(text), width))).toBe(shown)
    expect(truncate(lineFrom(text).text, width)).toBe(lineFrom(shown).text)
  })

  test('uses a plain mark, as far as there is room', () => {
    expect([8, 4, 3, 2, 0].map(width => truncate('hello world', width, '...'))).toEqual([
      'hello...',
      'h...',
      '...',
      '..',
      '',
    ])
    expect(truncateStart('hello world', 8, '...')).toBe('...world')
    expect(shortenPath('src/view/deep/parser.ts', 18, '...')).toBe('src/.../parser.ts')
    expect(paintLine(truncate(lineFrom(red('hello world')), 8, '...'))).toBe('\u001b[31mhello...\u001b[39m')
  })

  test.each([
    ['Send it; alone: the last', 40, 'Send it; alone: the last'],
    ['Send it; alone: the last', 22, 'Send it'],
    ['Send it: now', 10, 'Send it'],
    ['Send it; alone: the last', 10, 'Send it'],
    ['Send it (or not).', 16, 'Send it (or not)'],
    ['Send it (or not).', 15, 'Send it'],
    ['Send it.', 7, 'Send it'],
    ['Send it; alone', 5, 'Send…'],
    ['/cost: the tokens', 10, '/cost:…'],
    ['a.ts:10 in one, two', 12, 'a.ts:10 in…'],
  ])('firstClauses %s to %i', (text, width, shown) => {
    expect(firstClauses(sanitize(text), width)).toBe(shown)
  })

  test.each([
    ['one two three', 13, 'one two three'],
    ['one two three', 12, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['one two three', 7, 'one…'],
    ['one incomprehensible word', 14, 'one incompreh…'],
    ['one', 2, 'o…'],
    ['one two', 0, ''],
    ['世界 世界 世界', 9, '世界…'],
  ])('wholeWords %s to %i', (text, width, shown) => {
    expect(wholeWords(sanitize(text), width)).toBe(shown)
  })

  test('truncateStart keeps the end', () => {
    expect(truncateStart('hello world', 6)).toBe('…world')
    expect(truncateStart('世界', 3)).toBe('…界')
  })

  test.each([
    ['src/parser.ts', 20, 'src/parser.ts'],
    ['src/language/deep/parser.ts', 24, 'src/…/deep/parser.ts'],
    ['src/language/deep/parser.ts', 17, 'src/…/parser.ts'],
    ['/home/someone/work/app/main.ts', 20, '/home/…/app/main.ts'],
    ['src/language/deep/parser.ts', 12, '…/parser.ts'],
    ['src/language/deep/parser.ts', 7, '…ser.ts'],
    ['averylongname.ts', 8, '…name.ts'],
  ])('path %s at %i', (path, width, shown) => {
    expect(shortenPath(path, width)).toBe(shown)
    expect(displayWidth(shown)).toBeLessThanOrEqual(width)
  })
})

test('cuts a word of megabytes', () => {
  const lines = wrap('x'.repeat(4_000_000), 20)
  expect(lines).toHaveLength(200_000)
  expect(lines.at(-1)).toBe('x'.repeat(20))
})

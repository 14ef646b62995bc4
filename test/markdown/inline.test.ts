/** Marks within a line: what is plain text is known without the lexer, and that makes no difference. */
import * as fc from 'fast-check'
import { Lexer } from 'marked'
import { expect, test, vi } from 'vitest'
import { inlineLines, lineOf } from '../../src/markdown/inline.ts'
import { everything, plainStyle, tag, tagged } from './corpus.ts'
import { aPartOf } from '../helpers/length.ts'

const style = {
  ...plainStyle,
  strong: tag('b'),
  emphasis: tag('i'),
  strike: tag('s'),
  code: tag('code'),
  link: tag('a'),
  dim: tag('dim'),
}

const draw = (source: string): string =>
  inlineLines(source, new Map([['there', 'https://x.org']]), style, [])
    .map(spans => tagged(lineOf(spans)))
    .join('\n')

/** The same behind something that the lexer has to read, and so all that follows. */
const drawBehindMark = (source: string): string => draw(`\`!\` ${source}`).replace('<code>!</code> ', '')

const pieces = [
  'a',
  'plain',
  'word',
  ' ',
  ' ',
  ' ',
  '  \n',
  '\n',
  '.',
  '(',
  ')',
  '1',
  'é',
  '東',
  '😀',
  '’',
  '-',
  '+',
  '|',
  '#',
  ':',
]
const marks = ['*', '**', '_', '__', '~~', '`', '[there]', '[a](b)', '![i](j)', '<b>', '&amp;', '\\', '\\\n']
const addresses = ['https://a.org/x', 'www.a.org', 'HTTP://A.org', 'me@a.org', 'http', 'www', 'ftp://a.b']
const source = fc
  .array(fc.oneof(...[pieces, pieces, marks, addresses].map(some => fc.constantFrom(...some))), { maxLength: 30 })
  .map(some => `x${some.join('')}`)

test('any inline text is drawn as the lexer reads it', () => {
  fc.assert(
    fc.property(source, text => {
      expect(draw(text)).toBe(drawBehindMark(text))
    }),
    aPartOf(2000),
  )
  // Lines are cut at carriage returns before they are drawn.
  for (const line of everything.split(/[\r\n]/)) expect(draw(`x${line}`)).toBe(drawBehindMark(`x${line}`))
})

test.each([
  ['plain words, and more. (Of 2026)', 0],
  ['plain words, and then `code`', '`code`'.length + 1],
  ['2 * 3', 4],
])('the lexer reads of %j only %i characters', (text, count) => {
  const spy = vi.spyOn(Lexer.prototype, 'inlineTokens')
  draw(text)
  expect(spy.mock.calls.reduce((sum, [read]) => sum + read.length, 0)).toBe(count)
  spy.mockRestore()
})

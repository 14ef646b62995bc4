import { Lexer } from 'marked'
import stringWidth from 'string-width'
import * as fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MarkdownBlock } from '../../src/markdown/block.ts'
import { createBlocks } from '../../src/markdown/blocks/blocks.ts'
import { loadCommonLanguages } from '../../src/markdown/code/languages.ts'
import { renderBlock } from '../../src/markdown/render.ts'
import type { MarkdownDrawing, MarkdownStyle } from '../../src/markdown/style.ts'
import { renderOpen } from '../../src/markdown/render-open.ts'
import type { Styled } from '../../src/text/styled.ts'
import { hyperlink } from '../helpers/lines.ts'
import { ansiStyle, corpus, everything, plainStyle, tag, tagged } from './corpus.ts'
import { aPartOf } from '../helpers/length.ts'

beforeAll(() => loadCommonLanguages())

/** Shows what looks how: `<b>text</b>`. */
const tags: MarkdownStyle = {
  ...plainStyle,
  heading: level => tag(`h${level}`),
  strong: tag('b'),
  emphasis: tag('i'),
  strike: tag('s'),
  code: tag('code'),
  link: tag('a'),
  quote: tag('q'),
  listMark: tag('li'),
  tableHeader: tag('th'),
  tableRule: tag('tr'),
  rule: tag('hr'),
  dim: tag('dim'),
}

function blocksOf(pieces: readonly string[]): MarkdownBlock[] {
  const blocks = createBlocks()
  return [...pieces.flatMap(piece => blocks.push(piece)), ...blocks.end()]
}

function linesOf(pieces: readonly string[], drawing: MarkdownDrawing): Styled[] {
  return blocksOf(pieces).flatMap(block => renderBlock(block, drawing))
}

const draw = (text: string, drawing: MarkdownDrawing): string[] => linesOf([text], drawing).map(tagged)

const drawOpen = (text: string, maxRows = 10, width = 40): string[] => {
  const blocks = createBlocks()
  blocks.push(text)
  return renderOpen(blocks.open(), { width, style: tags, maxRows }).map(tagged)
}

/** Streams the text in pieces, draws each block once and the open end now and then; counts what marked had to read. */
function lexed(text: string): { committed: number; frames: number; most: number; rows: number } {
  const spy = vi.spyOn(Lexer.prototype, 'inlineTokens')
  const read = (): number => spy.mock.calls.splice(0).reduce((sum, [source]) => sum + source.length, 0)
  const blocks = createBlocks()
  const count = { committed: 0, frames: 0, most: 0, rows: 0 }
  const step = Math.ceil(text.length / 200)
  for (let at = 0; at <= text.length; at += step) {
    const done =
      at + step > text.length
        ? [...blocks.push(text.slice(at)), ...blocks.end()]
        : blocks.push(text.slice(at, at + step))
    for (const block of done) count.rows += renderBlock(block, { width: 80, style: plainStyle }).length
    count.committed += read()
    renderOpen(blocks.open(), { width: 80, style: plainStyle, maxRows: 20 })
    const frame = read()
    count.frames += frame
    count.most = Math.max(count.most, frame)
  }
  return count
}

describe('the style of Markdown', () => {
  test.each<[string, string, string[]]>([
    [
      'no air between the rows of a table that are one line each',
      `| a | b |\n|---|---|\n| 1 | x |\n| 2 | y |\n| 3 | ${'z '.repeat(50)}|\n| 4 | w |`,
      [
        '<th>a</th>  <th>b</th>',
        `<tr>─</tr>  <tr>${'─'.repeat(77)}</tr>`,
        '1  x',
        '2  y',
        '',
        `3  ${'z '.repeat(39).trimEnd()}`,
        `   ${'z '.repeat(11).trimEnd()}`,
        '',
        '4  w',
      ],
    ],
    ['a bare address ends before what hid', 'https://a.b\x07c d', ['<a>https://a.b</a>␇c d']],
    ['headings', '# a *b*\n\n### c', ['<h1>a </h1><h1><i>b</i></h1>', '', '<h3>c</h3>']],
    ['marks', '**a *b*** ~~c~~ `d`', ['<b>a </b><b><i>b</i></b> <s>c</s> <code>d</code>']],
    ['a range is not struck', '20~25 and 30~35', ['20~25 and 30~35']],
    ['marks over a line break', '**a\nb**', ['<b>a</b>', '<b>b</b>']],
    [
      'escapes and entities',
      String.raw`\*a\* &amp; &#9731; &nope; ${'`&amp;`'}`,
      ['*a* & ☃ &nope; <code>&amp;</code>'],
    ],
    ['an entity that would be a control character', '&#27;[2J &#x202e;', ['␛[2J ⟦U+202E⟧']],
    ['a link', '[a](https://b.c)', ['<a>a</a><dim> (https://b.c)</dim>']],
    [
      'a link whose label is its target',
      '<https://b.c> [https://b.c/](https://b.c) me@b.c',
      ['<a>https://b.c</a> <a>https://b.c/</a> <a>me@b.c</a>'],
    ],
    [
      'a label that claims another target',
      '[https://bank.com](https://evil.com)',
      ['<a>https://bank.com</a><dim> (https://evil.com)</dim>'],
    ],
    [
      'a reference',
      '[r]: http://x.y\n\n[a][r] [r] [s]',
      ['<dim>[r]: http://x.y</dim>', '', '<a>a</a><dim> (http://x.y)</dim> <a>r</a><dim> (http://x.y)</dim> [s]'],
    ],
    ['labels that objects have', '[constructor] [toString]', ['[constructor] [toString]']],
    ['images', '![alt x](a.png) ![](b.png)', ['<dim>[image: alt x]</dim> <dim>[image: b.png]</dim>']],
    ['html', 'a <b>c</b>', ['a <dim><b></dim>c<dim></b></dim>']],
    ['lists', '- a\n  - b\n2. c', ['<li>•</li> a', '  <li>•</li> b', '<li>2.</li> c']],
    ['tasks', '- [ ] a\n- [x] b\n1. [X] c', ['<li>[ ]</li> a', '<li>[x]</li> b', '<li>1. [x]</li> c']],
    ['an item of two lines', '10. a\n    b', ['<li>10.</li> a', '    b']],
    ['quotes', '> a\n>\n> > b', ['<q>│</q> <q>a</q>', '<q>│</q>', '<q>│</q> <q>│</q> <q>b</q>']],
    ['a rule', '---', ['<hr>────────────────────────</hr>']],
    [
      'code in an item stands below its text',
      '- a\n\n      b\n- ```\n  c\n  ```',
      ['<li>•</li> a', '', '  b', '', '<li>•</li> c'],
    ],
    ['code in a quote', '> ```\n> a\n> ```', ['<q>│</q> a']],
    ['an item without text', '-', ['<li>•</li>']],
    [
      'a table',
      '| a | *b* |\n|--:|:-:|\n| 100 | x |\n| 世 | |',
      ['  <th>a</th>  <th><i>b</i></th>', '<tr>───</tr>  <tr>─</tr>', '100  x', ' 世'],
    ],
    [
      'cells beyond the header',
      '| a | b |\n|---|---|\n| 1 | 2 | 3 |',
      ['<th>a</th>  <th>b</th>', '<tr>─</tr>  <tr>─────</tr>', '1  2 | 3'],
    ],
  ])('%s', (_name, text, lines) => {
    expect(draw(text, { width: 80, style: tags })).toEqual(lines)
  })

  test('links can be opened if the terminal supports it and the target is safe', () => {
    const style = { ...plainStyle, hyperlinks: true }
    const lines = (text: string): string => draw(text, { width: 80, style }).join('\n')
    expect(lines('[a](https://b.c)')).toBe(
      `${hyperlink('a', 'https://b.c')} (${hyperlink('https://b.c', 'https://b.c')})`,
    )
    expect(lines('[ä](https://b.c/ä)')).toContain('\x1b]8;;https://b.c/%C3%A4\x1b\\')
    expect(lines('[a](file:///x) [b](mailto:x@y.z)')).toContain('8;;mailto:x@y.z')
    for (const target of [
      'javascript:alert(1)',
      'src/a.ts',
      'vscode://x',
      'data:text/html,x',
      `https://${'x'.repeat(3000)}`,
    ]) {
      expect(lines(`[a](${target})`)).not.toContain('\x1b')
    }
  })

  test('signs are ASCII if the terminal has no others', () => {
    const style = { ...plainStyle, unicode: false }
    expect(draw('- a\n> b\n\n---\n\n|a|\n|-|', { width: 20, style })).toEqual([
      '- a',
      '',
      '| b',
      '',
      '-'.repeat(20),
      '',
      'a',
      '-',
    ])
  })

  test('code is indented like the prose', () => {
    const lines = draw('a\n```\nb\n```\n> c\n\n- d', { width: 20, style: plainStyle, indent: 2 })
    expect(lines).toEqual(['  a', '', '  b', '', '  │ c', '', '  • d'])
  })

  test('a line above code names its language, and from the second on how it is copied', () => {
    const [first, second] = ['```ts\na\nb\n```\n', '```\nc\n```'].map(text => blocksOf([text]))
    const drawnAs = (more: Partial<MarkdownDrawing>): string[] =>
      [...(first ?? []), ...(second ?? [])].flatMap((block, index) =>
        renderBlock(block, { width: 20, style: plainStyle, indent: 2, code: index < 2 ? 1 : 2, ...more }).map(tagged),
      )
    expect(drawnAs({ copies: true })).toEqual(['  ts', '  a', '  b', '  /copy 2', '  c'])
    expect(drawnAs({})).toEqual(['  ts', '  a', '  b', '  [2]', '  c'])
  })

  test('two fences in a row are kept apart', () => {
    expect(draw('```\na\n```\n```\nb\n```', { width: 20, style: plainStyle, indent: 2 })).toEqual(['  a', '', '  b'])
  })

  test('code is coloured', () => {
    const style = {
      ...plainStyle,
      codeBlock: tag('c'),
      syntax: { keyword: tag('k') },
    }
    expect(draw('```js\nlet a = "b"\n```', { width: 80, style })).toEqual(['<k>let</k><c> a = "b"</c>'])
  })
})

describe('every construct at every width', () => {
  const cases = Object.keys(corpus).flatMap(name => [120, 80, 40, 20].map(width => [name, width] as const))

  test.each(cases)('%s at %i', async (name, width) => {
    const lines = draw(corpus[name] ?? '', { width, style: plainStyle, indent: 2 })
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}-${width}.txt`)
  })

  test.each(cases)('%s at %i keeps the promises', (name, width) => {
    expect(width).toBeGreaterThan(0)
    for (const piece of [corpus[name] ?? '', (corpus[name] ?? '').slice(0, -7)]) {
      promised(linesOf([piece], { width, style: ansiStyle, indent: 2 }), width)
    }
  })
})

// Nothing in the lines acts on a terminal, and links are what OSC 8 may carry.
function promised(lines: readonly Styled[], width: number): void {
  for (const { text, spans } of lines) {
    expect(text).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
    expect(text).not.toMatch(/ $/)
    expect(stringWidth(text)).toBeLessThanOrEqual(width)
    for (const { style } of spans) expect(style.link).toMatch(/^[\u0021-\u007e]*$/)
  }
}

describe('any Markdown text', () => {
  const source = fc
    .array(
      fc.oneof(
        fc.constantFrom(...everything.split('\n')),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
      ),
      {
        maxLength: 20,
      },
    )
    .map(lines => lines.join('\n'))

  test('gives the same lines in any chunks, and keeps the promises', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 2, max: 130 }), (text, step, width) => {
        const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
          text.slice(index * step, (index + 1) * step),
        )
        const lines = linesOf([text], { width, style: ansiStyle, indent: 2 })
        expect(linesOf(pieces, { width, style: ansiStyle, indent: 2 })).toEqual(lines)
        promised(lines, width)
      }),
      aPartOf(500),
    )
  })

  test('is drawn within its rows while it is open', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 2, max: 130 }), fc.integer({ min: 0, max: 30 }), (text, width, maxRows) => {
        const blocks = createBlocks()
        blocks.push(text)
        const lines = renderOpen(blocks.open(), { width, style: ansiStyle, indent: 2, maxRows })
        expect(lines.length).toBeLessThanOrEqual(maxRows)
        promised(lines, width)
      }),
      aPartOf(500),
    )
  })
})

describe('the open end of Markdown', () => {
  test.each<[string, string, string[]]>([
    ['strong', 'a **b', ['a <b>b</b>']],
    ['code', 'a `b', ['a <code>b</code>']],
    ['emphasis in an item', '- a *b', ['<li>•</li> a <i>b</i>']],
    ['strike', '~~a', ['<s>a</s>']],
    ['a link', 'a [b](https://c', ['a b']],
    ['a heading', '# a **b', ['<h1>a </h1><h1><b>b</b></h1>']],
    ['a cell', '| a |\n|---|\n| **b', ['<th>a</th>', '<tr>─</tr>', '<b>b</b>']],
    ['code is code', '```\n**a', ['**a']],
    ['html', 'a <b', ['a <b']],
  ])('%s is healed', (_name, text, lines) => {
    expect(drawOpen(text)).toEqual(lines)
  })

  test('shows the last rows', () => {
    expect(drawOpen(Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n'), 3)).toEqual([
      'line 47',
      'line 48',
      'line 49',
    ])
    const rows = Array.from({ length: 50 }, (_, index) => `| ${index} |`).join('\n')
    expect(drawOpen(`| n |\n|---|\n${rows}`, 3)).toEqual(['47', '48', '49'])
    expect(drawOpen('x'.repeat(100_000), 2)).toHaveLength(2)
  })
})

describe('long texts', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const item = '- an item with *some* text and `code`\n'
  test.each<[string, string, number]>([
    ['a fence of 10,000 lines', '```ts\n' + '  const a = `b ${c}` // d\n'.repeat(10_000) + '```\n', 10_000],
    ['a fence of 10,000 lines inside a comment', '```ts\n/*\n' + ' a comment\n'.repeat(10_000) + '```\n', 10_001],
    ['a list of 3,000 items', item.repeat(3000), 3000],
    ['a list of 3,000 loose items', `${item}\n`.repeat(3000), 5999],
    ['an item with 3,000 lines of code', '- a\n  ```\n' + '  b\n'.repeat(3000) + '  ```\n', 3002],
    ['a paragraph of 3,000 lines', 'a line of *text* as it comes\n'.repeat(3000), 3000],
    ['a quote of 3,000 lines', '> a line of *text* as it comes\n'.repeat(3000), 3000],
    ['a table of 3,000 rows', '| a | b |\n|---|---|\n' + '| cell | *x* |\n'.repeat(3000), 3002],
    ['a line of 100,000 characters', 'word *and* '.repeat(9091), 1251],
    ['a word of 100,000 characters', 'x'.repeat(100_000), 1250],
    ['100,000 characters without blanks', '世界'.repeat(50_000), 2500],
    ['100,000 brackets', '['.repeat(100_000), 1250],
    ['marks that the lexer is slow on', 'a**b'.repeat(25_000), 626],
  ])('%s', (_name, text, rows) => {
    const count = lexed(text)
    expect(count.rows).toBeGreaterThan(rows * 0.5)
    // A row more for each part in which a very long line is read.
    expect(count.rows).toBeLessThanOrEqual(rows + Math.ceil(text.length / 7000))
    // Neither code nor plain words are read for marks.
    expect(count.committed + count.frames > 0).toBe(!text.startsWith('```') && /[*[]/.test(text))
    // marked reads what is inside of marks again, so each character may count a few times; never more for longer texts.
    expect(count.committed).toBeLessThan(text.length * 3 + 100)
    expect(count.most).toBeLessThan(20 * 80 * 10)
  })

  test('highlighting code reads a bounded number of lines for each line', () => {
    const blocks = createBlocks()
    const deep = '```js\n' + Array.from({ length: 200 }, () => 'a = `${b(`').join('\n') + '\n'
    expect(blocks.push(deep)).toHaveLength(200)
  })
})

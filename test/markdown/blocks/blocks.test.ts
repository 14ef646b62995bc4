import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MarkdownBlock } from '../../../src/markdown/block.ts'
import { createBlocks } from '../../../src/markdown/blocks/blocks.ts'
import { loadCommonLanguages } from '../../../src/markdown/code/languages.ts'
import { SourceLines } from '../../../src/markdown/blocks/source-lines.ts'
import { corpus, everything } from '../corpus.ts'

beforeAll(() => loadCommonLanguages())

/** A block in short: what it stands in (`Q` quote, `-` item, `+` an item's first), its kind, its text; `^` for a gap. */
function brief(block: MarkdownBlock): string {
  const within = block.within.map(part => (part.kind === 'quote' ? 'Q' : part.opens ? '+' : '-')).join('')
  return `${block.above === null ? '' : '^'}${within}${block.kind}: ${textOf(block)}`
}

function textOf(block: MarkdownBlock): string {
  switch (block.kind) {
    case 'code':
      return block.spans.map(span => span.text).join('')
    case 'table':
      return block.rows.join(' / ')
    case 'rule':
      return ''
    case 'heading':
      return `${block.level} ${block.source}`
    case 'paragraph':
    case 'html':
    case 'definition':
      return block.source
  }
}

function whole(text: string): MarkdownBlock[] {
  const blocks = createBlocks()
  return [...blocks.push(text), ...blocks.end()]
}

function pieced(pieces: readonly string[]): MarkdownBlock[] {
  const blocks = createBlocks()
  return [...pieces.flatMap(piece => blocks.push(piece)), ...blocks.end()]
}

const numbers = (text: string): unknown[] =>
  whole(text).map(block => block.within.map(part => part.kind === 'item' && part.ordinal))

const open = (text: string): string[] => {
  const blocks = createBlocks()
  blocks.push(text)
  return blocks.open().map(brief)
}

const look = (text: string): unknown[] =>
  whole(text).map(block => block.kind === 'code' && block.spans.map(span => span.style))

describe('the cut into blocks', () => {
  test.each<[string, string, string[]]>([
    ['paragraphs', 'a\nb\n\nc', ['paragraph: a\nb', '^paragraph: c']],
    ['headings', '# a #\n##b\n## c\nd\n=\n', ['heading: 1 a', 'paragraph: ##b', '^heading: 2 c', '^heading: 1 d']],
    ['C# is no closing mark', '# C#', ['heading: 1 C#']],
    [
      'fences, line by line',
      'a\n```js x\n1\n\n2\n```\nb',
      ['paragraph: a', '^code: 1', 'code: ', 'code: 2', '^paragraph: b'],
    ],
    ['two fences', '```\na\n```\n~~~\nb\n~~~', ['code: a', '^code: b']],
    ['a fence is closed by as many marks', '````\n```\n````\na', ['code: ```', '^paragraph: a']],
    ['no fence with a backtick behind it', '``` a`\nb', ['paragraph: ``` a`\nb']],
    [
      'indented code',
      'a\n\n    b\n\n      c\n\nd',
      ['paragraph: a', '^code: b', 'code: ', 'code:   c', '^paragraph: d'],
    ],
    ['no indented code in a paragraph', 'a\n    b', ['paragraph: a\nb']],
    ['rules', '***\na\n\n- - -\n', ['rule: ', 'paragraph: a', '^rule: ']],
    ['a list', '- a\n- b\n\n- c', ['+paragraph: a', '+paragraph: b', '^+paragraph: c']],
    ['a list under a line', 'a:\n- b', ['paragraph: a:', '+paragraph: b']],
    ['no list in a sentence', 'in\n2026. It', ['paragraph: in\n2026. It']],
    ['nested items', '- a\n  - b\n    c\n\n  d', ['+paragraph: a', '-+paragraph: b\nc', '^-paragraph: d']],
    ['text after a list', '- a\n\nb', ['+paragraph: a', '^paragraph: b']],
    ['lazy lines', '> - a\nb\n\nc', ['Q+paragraph: a\nb', '^paragraph: c']],
    ['empty items', '-\n- a\n-', ['+paragraph: ', '+paragraph: a', '+paragraph: ']],
    ['an item whose text is on the next line', '-\n  a', ['+paragraph: a']],
    ['an item that begins with code', '- ```\n  x\n  ```\n  y', ['+code: x', '^-paragraph: y']],
    ['an item with an empty fence', '- ```\n  ```\n- a', ['+paragraph: ', '+paragraph: a']],
    ['quotes', '> a\n>\n> b\n\n> c', ['Qparagraph: a', '^Qparagraph: b', '^Qparagraph: c']],
    ['a quote ends a list', '- a\n> b', ['+paragraph: a', '^Qparagraph: b']],
    ['a table', 'x\na | b\n-|:-:\n1 | 2\n\ny', ['paragraph: x', '^table: a | b / 1 | 2', '^paragraph: y']],
    ['no table with another number of columns', 'a | b\n-|-|-\n', ['paragraph: a | b\n-|-|-']],
    ['a heading, not a table', 'a\n---', ['heading: 2 a']],
    ['html', '<div>\n*a*\n</div>\n\nb', ['html: <div>', 'html: *a*', 'html: </div>', '^paragraph: b']],
    ['a comment over blank lines', '<!--\n\n-->\nb', ['html: <!--', 'html: ', 'html: -->', 'paragraph: b']],
    ['a tag in a paragraph', 'a\n<b>\nc', ['paragraph: a\n<b>\nc']],
    ['definitions', '[a]: http://x\n[^1]: note', ['definition: [a]: http://x', 'paragraph: [^1]: note']],
    ['windows lines', 'a\r\n\r\nb\r\n', ['paragraph: a', '^paragraph: b']],
    ['a lone carriage return', 'abc\rx\n', ['paragraph: abc\nx']],
    ['hidden marks', '\x1b[2J\u202e', ['paragraph: ␛[2J⟦U+202E⟧']],
    ['nothing', '', []],
    ['blank lines', '\n \n\t\n', []],
  ])('%s', (_name, text, blocks) => {
    expect(whole(text).map(brief)).toEqual(blocks)
  })

  test('continues numbers from the first, and begins anew after a bullet', () => {
    expect(numbers('3. a\n3. b\n9. c')).toEqual([[3], [4], [5]])
    expect(numbers('1. a\n1) b\n- c\n1. d')).toEqual([[1], [1], [null], [1]])
    expect(numbers('1. a\n\n   x\n   1. y\n1. b')).toEqual([[1], [1], [1, 1], [2]])
  })
})

describe('chunking', () => {
  test.each(Object.entries(corpus))('%s: character by character', (_name, text) => {
    expect(pieced(text.split(''))).toEqual(whole(text))
  })

  test('any chunks of any text give the same blocks', () => {
    const lines = everything.split('\n')
    const text = fc.array(fc.constantFrom(...lines), { maxLength: 25 }).map(some => some.join('\n'))
    const cuts = fc.array(fc.nat(40), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(text, cuts, (source, sizes) => {
        expect(pieced(cut(source, sizes))).toEqual(whole(source))
      }),
      { numRuns: 500 },
    )
  })

  test('committed blocks are a prefix of the final ones, and the open rest comes from the same text', () => {
    const blocks = createBlocks()
    const committed: MarkdownBlock[] = []
    for (const piece of cut(everything, [7, 1, 30, 3])) {
      committed.push(...blocks.push(piece))
      blocks.open()
    }
    expect([...committed, ...blocks.end()]).toEqual(whole(everything))
  })
})

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = 1 + (sizes[turn % sizes.length] ?? 0)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

/** Without marks, and without what a heading and a fence are told by. */
const letters = (words: string): string => words.replaceAll(/[\s`>#1-]|js/g, '')
const inParts = (text: string, size: number): MarkdownBlock[] => {
  const blocks = createBlocks()
  const found: MarkdownBlock[] = []
  for (let at = 0; at < text.length; at += size) found.push(...blocks.push(text.slice(at, at + size)))
  return [...found, ...blocks.end()]
}
const sizeOf = (block: MarkdownBlock): number =>
  (block.kind === 'code' ? textOf(block) : 'source' in block ? block.source : '').length

describe('a very long block comes in parts', () => {
  const long = `${'word and '.repeat(5000)}end`
  test.each<[string, string]>([
    ['a line', long],
    ['a line in a list', `- ${long}\n- next`],
    ['a line in a quote', `> ${long}\n\nnext`],
    ['a line of code', `\`\`\`js\n${long}\nnext()\n\`\`\`\nafter`],
    ['a heading', `# ${long}\n\nnext`],
    ['a paragraph', `${'a line of it\n'.repeat(5000)}\nnext`],
    ['a word', 'x'.repeat(50_000)],
    ['marks that combine', `a${'\u0301'.repeat(50_000)}`],
  ])('%s', (_, text) => {
    const whole = inParts(text, text.length)
    expect(inParts(text, 100)).toEqual(whole)
    expect(Math.max(...whole.map(sizeOf))).toBeLessThan(20_000)
    const sources = new SourceLines()
    sources.add(text)
    expect(letters(whole.map(block => sources.take(block.to)).join('') + sources.rest)).toBe(letters(text))
    expect(letters(whole.map(textOf).join(''))).toBe(letters(text))
  })

  test('and the blocks after it stay the same', () => {
    const kinds = inParts(`${long}\n\n# next\n\n- a\n\n${long}\n===\n`, 1000).map(({ kind }) => kind)
    expect(new Set(kinds.slice(0, kinds.indexOf('heading')))).toEqual(new Set(['paragraph']))
    expect(kinds.filter(kind => kind === 'heading')).toHaveLength(2)
  })
})

describe('the open end of a text', () => {
  test.each<[string, string, string[]]>([
    ['a paragraph', 'a\nb', ['paragraph: a\nb']],
    ['a code line', '```js\na\nb', ['code: b']],
    ['marks that may become anything', 'a\n\n- [', []],
    ['a number that may become an item', '1. a\n2. ', ['+paragraph: a']],
    ['a closing fence to be', '```\na\n``', []],
    ['half an emoji', 'a \ud83d', ['paragraph: a ']],
    ['half a family', 'a 👩‍', ['paragraph: a 👩']],
    ['half a windows line', 'a\r', ['paragraph: a']],
    ['a table in the making', 'a | b\n-|-\n1 |', ['table: a | b / 1 |']],
    ['an item', '- a\n  - b', ['+paragraph: a', '-+paragraph: b']],
  ])('%s', (_name, text, blocks) => {
    expect(open(text)).toEqual(blocks)
  })

  test('holds a bounded number of lines', () => {
    const blocks = createBlocks()
    blocks.push('line\n'.repeat(1000))
    const [paragraph] = blocks.open(5)
    expect(paragraph && textOf(paragraph)).toBe('line\nline\nline\nline\nline')
  })

  test('changes no committed block', () => {
    const blocks = createBlocks()
    blocks.push('- a\n\n  ```js\n  /* x\n')
    blocks.open()
    blocks.push('  b */ c\n')
    expect(blocks.end()).toEqual([])
  })
})

describe('colours of code in blocks', () => {
  test('continue over lines', () => {
    expect(look('```ts\n/* a\nb */ 1\n`x\n${1}\n`\n```')).toEqual([
      ['comment'],
      ['comment', null, 'number'],
      ['string'],
      [null, 'number', null],
      ['string'],
    ])
  })

  test('are the same as for the whole text', () => {
    const python = 'def f(a):\n    """doc\n    string"""\n    return "x" # c\n'
    expect(look('```py\n' + python)).toEqual([
      ['keyword', null, 'title', null],
      [null, 'string'],
      ['string'],
      [null, 'keyword', null, 'string', null, 'comment'],
    ])
  })

  test('do not exist for unknown languages and plain data', () => {
    expect(look('```nonsense\nif 1\n```')).toEqual([[null]])
    expect(look(`\`\`\`ts\nconst a = "${'x'.repeat(3000)}"\n\`\`\``)).toEqual([[null]])
  })
})

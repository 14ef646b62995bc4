import * as fc from 'fast-check'
import { Lexer } from 'marked'
import { describe, expect, test, vi } from 'vitest'
import type { MarkdownBlock } from '../../src/markdown/block.ts'
import { createBlocks } from '../../src/markdown/blocks/blocks.ts'
import { createGrowingParagraph } from '../../src/markdown/growing.ts'
import { heal } from '../../src/markdown/heal.ts'
import { belowGap, renderBlock } from '../../src/markdown/render.ts'
import { ansiStyle, tagged } from './corpus.ts'

type Paragraph = MarkdownBlock & { kind: 'paragraph' }

/** The open paragraph at the end of a text as it grows by so many characters; left out where something else is open. */
function* openParagraphs(text: string, step: number): Generator<Paragraph> {
  const blocks = createBlocks()
  for (let from = 0; from < text.length; from += step) {
    blocks.push(text.slice(from, from + step))
    const last = blocks.open().at(-1)
    if (last?.kind === 'paragraph') yield last
  }
}

const clean = [
  'the word',
  'naïve café',
  '東京 and 大阪',
  'end.',
  '**two words**',
  '_one_',
  '`let a`',
  'a\nline',
  '~~no~~',
  'why?',
]
const links = ['[a link](https://example.org/1)', 'https://example.org', '[**b** c](http://d.org)']
const open = [
  '**never closed',
  'snake_case',
  '2 * 3',
  '`half',
  '[half',
  '[half](htt',
  '<b>',
  '\\*',
  'a@b.org',
  '&amp;',
  '![i](j)',
  '~',
]

const fragments = (list: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...list), { minLength: 1, maxLength: 60 }).map(parts => parts.join(' '))

type Frame = { drawn: readonly string[]; whole: readonly string[] }

/** Each frame of an open paragraph: as it is drawn, and as it is when all of it is drawn again. */
function* frames(text: string, width: number, step: number): Generator<Frame> {
  const drawing = { width, style: ansiStyle, indent: 2 }
  const paragraph = createGrowingParagraph()
  for (const block of openParagraphs(text, step)) {
    const drawn = belowGap(block, drawing, paragraph(block, drawing)).map(tagged)
    // remend draws a bare mark at the end by the marks before it, which a beginning does not have.
    if (/[*_~`[]$/.test(block.source)) continue
    yield { drawn, whole: renderBlock({ ...block, source: heal(block.source) }, drawing).map(tagged) }
  }
}

/** The words without their looks, and without marks: whether a mark inside an open one counts depends on the marks before it. */
const words = (lines: readonly string[]): string => lines.join('').replaceAll(/<\/?\w+>|[\s*_~`]/g, '')

describe('an open paragraph', () => {
  test('looks in each frame as if all of it were drawn again', () => {
    fc.assert(
      fc.property(
        fragments([...clean, ...links]),
        fc.constantFrom('', '> ', '- '),
        fc.integer({ min: 2, max: 130 }),
        fc.integer({ min: 1, max: 50 }),
        (text, before, width, step) => {
          for (const { drawn, whole } of frames(before + text, width, step)) expect(drawn).toEqual(whole)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('has the same words with marks that never close', () => {
    fc.assert(
      fc.property(
        fragments([...clean, ...clean, ...links, ...open]),
        fc.integer({ min: 2, max: 130 }),
        fc.integer({ min: 1, max: 50 }),
        (text, width, step) => {
          for (const { drawn, whole } of frames(text, width, step)) expect(words(drawn)).toBe(words(whole))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('is read from its last rows on, however long it is, also while another one grows', () => {
    const spy = vi.spyOn(Lexer.prototype, 'inlineTokens')
    const drawing = { width: 80, style: ansiStyle, indent: 2 }
    const text = 'some **plain words** and `code` that go on '.repeat(60)
    const [one, other] = [createGrowingParagraph(), createGrowingParagraph()]
    let most = 0
    for (const block of openParagraphs(text, 20)) {
      one(block, drawing)
      other({ ...block, source: `Another ${block.source}` }, drawing)
      most = Math.max(most, ...spy.mock.calls.splice(0).map(([source]) => source.length))
    }
    spy.mockRestore()
    expect(most).toBeLessThan(3 * 80)
  })
})

/** The findings of a review in an answer: a list as soon as their block is complete, and code where they are none. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MarkdownBlock } from '../../../src/markdown/block.ts'
import { createBlocks } from '../../../src/markdown/blocks/blocks.ts'
import { codeBlocksOf } from '../../../src/markdown/blocks/code-blocks.ts'
import { SourceLines } from '../../../src/markdown/blocks/source-lines.ts'
import { renderBlock } from '../../../src/markdown/render.ts'
import { plainStyle } from '../corpus.ts'

function blocksOf(pieces: readonly string[]): MarkdownBlock[] {
  const blocks = createBlocks()
  return [...pieces.flatMap(piece => blocks.push(piece)), ...blocks.end()]
}

function draw(blocks: readonly MarkdownBlock[]): string[] {
  return blocks.flatMap(block => renderBlock(block, { width: 60, style: plainStyle })).map(({ text }) => text)
}

const shown = (text: string): string[] => draw(blocksOf([text]))

const findings = [
  {
    level: 'error',
    path: 'src/a.ts',
    line: 12,
    endLine: 14,
    title: 'It loses *data*',
    text: 'When full:\n\n```ts\nput(x)\n```',
  },
  { level: 'note', path: 'b`.md', title: 'Say why' },
]
const answer = `Two things.\n\n\`\`\`findings\n${JSON.stringify({ findings }, null, 2)}\n\`\`\`\nCannot be merged.\n`

const list = [
  'Two things.',
  '',
  '1 error, 1 note:',
  '',
  '• error src/a.ts:12-14 It loses data',
  '',
  '  When full:',
  '',
  '  put(x)',
  '',
  '• note b`.md Say why',
  '',
  'Cannot be merged.',
]

describe('the findings of an answer', () => {
  test('are a list', () => {
    expect(shown(answer)).toEqual(list)
  })

  test('are the same list however the text is cut', () => {
    expect(draw(blocksOf(answer.split('')))).toEqual(list)
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(cuts, sizes => {
        const pieces: string[] = []
        for (let at = 0, turn = 0; at < answer.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          pieces.push(answer.slice(at, at + size))
          at += size
        }
        expect(blocksOf(pieces)).toEqual(blocksOf([answer]))
      }),
      { numRuns: 300 },
    )
  })

  test('show those that are complete while the rest is being written', () => {
    const blocks = createBlocks()
    const first = JSON.stringify({ findings }).indexOf(',{"level":"note"')
    const committed = blocks.push(`\`\`\`findings\n${JSON.stringify({ findings }).slice(0, first + 20)}`)
    expect(committed).toEqual([])
    expect(draw(blocks.open())).toEqual(list.slice(2, 9).with(0, '1 error:'))
    expect(draw(blocks.open())).not.toContain('{')
  })

  test('stand in a quote or an item that they were written in', () => {
    expect(shown('- Here:\n  ```findings\n  [{"path":"a","title":"x"}]\n  ```\n- More')).toEqual([
      '• Here:',
      '',
      '  1 note:',
      '',
      '  • note a x',
      '',
      '• More',
    ])
    expect(shown('> ```findings\n> []\n> ```\n> So.')).toEqual(['│ No findings.', '│', '│ So.'])
  })

  test('stay code where they are no findings', () => {
    expect(shown('```findings\n{"a": 1}\nb\n```\nc')).toEqual(['{"a": 1}', 'b', '', 'c'])
    expect(shown('```findings\n```\nc')).toEqual(['c'])
    expect(shown('```json\n{"findings": []}\n```')).toEqual(['{"findings": []}'])
  })

  test('are not held back without an end', () => {
    const line = `${JSON.stringify({ path: 'a', title: 'x'.repeat(100) })}\n`
    const blocks = createBlocks()
    let committed = 0
    blocks.push('```findings\n')
    for (let at = 0; at < 4_000; at += 1) committed += blocks.push(line).length
    expect(committed).toBe(4_000)
  })

  test('have no control characters, whatever their JSON says', () => {
    const hostile = JSON.stringify([{ path: '\u001b[31mred', title: 'a\u0007\tb', text: 'c\rd\n\u202e' }])
    expect(shown(`\`\`\`findings\n${hostile}\n\`\`\``).join('')).not.toMatch(/\p{Cc}|\u202e/u)
  })

  test('keep their source for raw mode, once', () => {
    const lines = new SourceLines()
    lines.add(answer)
    const taken = blocksOf([answer]).map(block => lines.take(block.to))
    expect([...taken, lines.rest].filter(text => text !== '').join('\n')).toBe(answer.trimEnd().concat('\n').trimEnd())
  })

  test('give their code to be copied as it was meant', () => {
    expect(codeBlocksOf(answer).map(({ text }) => text)).toEqual(['put(x)'])
  })
})

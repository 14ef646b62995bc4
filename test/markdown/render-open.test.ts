import { expect, test } from 'vitest'
import { createBlocks } from '../../src/markdown/blocks/blocks.ts'
import { createOpenEnd } from '../../src/markdown/render-open.ts'
import { textsOf } from '../helpers/lines.ts'
import { plainStyle } from './corpus.ts'

const drawing = { width: 40, style: plainStyle, maxRows: 10 }

test('an open end that has not changed is not drawn again', () => {
  const blocks = createBlocks()
  const draw = createOpenEnd()
  blocks.push('Some *words*')
  const rows = draw(blocks.open(10), drawing)
  blocks.push('')
  expect(draw(blocks.open(10), { ...drawing })).toBe(rows)
})

const drawnOf = (text: string): string[] => {
  const blocks = createBlocks()
  blocks.push(text)
  return textsOf(createOpenEnd()(blocks.open(10), drawing))
}

test('a table that grows is a table from its first bar on, and never shown as its source', () => {
  const table = '| name | size |\n|:---|---:|\n| a.ts | 12 |\n| b.ts | 3 |\n'
  for (let end = 3; end <= table.length; end += 1)
    for (const before of ['', 'These files:\n\n', 'These files:\n']) {
      const drawn = drawnOf(before + table.slice(0, end))
      expect(drawn.join('\n')).not.toMatch(/\||:-|-:/)
    }
  expect(drawnOf('These files:\n| name | si')).toEqual(['These files:', '', 'name  si', '────  ──'])
  expect(drawnOf('These files:\n\n| name | size |\n|--')).toEqual(['', 'name  size', '────  ────'])
})

test('text with bars that cannot be a table stays text', () => {
  expect(drawnOf('| a |\n| b |\n| c')).toEqual(['| a |', '| b |', '| c'])
  expect(drawnOf('a | b')).toEqual(['a | b'])
  expect(drawnOf('so |x| is')).toEqual(['so |x| is'])
})

test.each([
  ['text', { ...drawing }, ' and more'],
  ['width', { ...drawing, width: 8 }, ''],
  ['number of rows', { ...drawing, maxRows: 1 }, ''],
  ['indent', { ...drawing, indent: 2 }, ''],
  ['style', { ...drawing, style: { ...plainStyle, unicode: !plainStyle.unicode } }, ''],
])('an open end with another %s is drawn again', (_name, next, more) => {
  const blocks = createBlocks()
  const draw = createOpenEnd()
  blocks.push('Some *words* in a paragraph')
  const rows = draw(blocks.open(10), drawing)
  blocks.push(more)
  const again = draw(blocks.open(10), next)
  expect(again).not.toBe(rows)
  expect(again).toEqual(createOpenEnd()(blocks.open(10), next))
})

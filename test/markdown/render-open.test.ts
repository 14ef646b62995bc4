import { expect, test } from 'vitest'
import { createBlocks } from '../../src/markdown/blocks/blocks.ts'
import { createOpenEnd } from '../../src/markdown/render-open.ts'
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

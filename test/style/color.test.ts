import { describe, expect, test } from 'vitest'
import { parseColor, rgb, to16, to256, toRgb } from '../../src/style/color.ts'
import { contrast } from '../helpers/contrast.ts'

test.each([
  ['#79b8ff', rgb(121, 184, 255)],
  ['#FA0', rgb(255, 170, 0)],
  ['red', { kind: 'palette', index: 1 }],
  ['Bright-Red', { kind: 'palette', index: 9 }],
  ['gray', { kind: 'palette', index: 8 }],
  ['grey', { kind: 'palette', index: 8 }],
  ['bright-black', { kind: 'palette', index: 8 }],
  ['0', { kind: 'palette', index: 0 }],
  ['255', { kind: 'palette', index: 255 }],
  ['256', null],
  ['-1', null],
  ['#12345', null],
  ['#12345g', null],
  ['reddish', null],
  ['', null],
])('%s', (word, color) => expect(parseColor(word)).toEqual(color))

describe('on terminals with fewer colours', () => {
  test.each([
    ['#000000', 16],
    ['#ffffff', 231],
    ['#ff0000', 196],
    ['#5f87af', 67],
    ['#808080', 244],
    ['#79b8ff', 111],
  ])('%s is %i of the 256', (hex, index) => expect(to256(toRgb(parseColor(hex) ?? rgb(0, 0, 0)))).toBe(index))

  test.each([
    ['#000000', 0],
    ['#cc1111', 1],
    ['#ff3333', 9],
    ['#00d7d7', 6],
    ['#eeeeee', 7],
    ['#7a7a7a', 8],
    ['3', 3],
    ['196', 9],
  ])('%s is %i of the sixteen', (word, index) => expect(to16(parseColor(word) ?? rgb(1, 2, 3))).toBe(index))

  test('each of the fixed colours stays the same', () => {
    // The corners of the cube stand among the greys, too: 16 and 231 are black and white.
    for (let index = 16; index < 256; index += 1) {
      const color = toRgb({ kind: 'palette', index })
      expect(toRgb({ kind: 'palette', index: to256(color) })).toEqual(color)
    }
  })
})

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
])('the contrast of %s on %s', (one, other, wanted) => {
  const [a, b] = [one, other].map(hex => toRgb(parseColor(hex) ?? rgb(0, 0, 0)))
  expect(contrast(a ?? rgb(0, 0, 0), b ?? rgb(0, 0, 0))).toBeCloseTo(wanted, 1)
})

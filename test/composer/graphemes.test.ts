import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import {
  boundaryFrom,
  boundaryUpTo,
  eachCharacter,
  nextBoundary,
  previousBoundary,
} from '../../src/composer/graphemes.ts'
import { boundaries, pieces } from './samples.ts'
import { aPartOf } from '../helpers/length.ts'

describe('boundaries agree with the segmenter', () => {
  test('for any text and offset', () => {
    fc.assert(
      fc.property(fc.oneof(pieces(12), fc.string({ unit: 'binary' })), text => {
        const clean = text.replaceAll('\r', '')
        const known = boundaries(clean)
        for (let at = 0; at <= clean.length; at += 1) {
          expect(boundaryFrom(clean, at)).toBe(known.find(each => each >= at))
          expect(boundaryUpTo(clean, at)).toBe(known.findLast(each => each <= at))
          if (!known.includes(at)) continue
          expect(nextBoundary(clean, at)).toBe(known.find(each => each > at) ?? clean.length)
          expect(previousBoundary(clean, at)).toBe(known.findLast(each => each < at) ?? 0)
        }
      }),
      aPartOf(500),
    )
  })

  test('offsets outside the text are clamped', () => {
    expect(boundaryFrom('abc', 9)).toBe(3)
    expect(boundaryUpTo('abc', -2)).toBe(0)
  })
})

test('every code unit on the fast path has the width and boundaries of the slow path', () => {
  const wrong: string[] = []
  // Han and Hangul are alike throughout: every seventh will do.
  for (let unit = 0x20; unit < 0xd800; unit += unit < 0x3400 ? 1 : 7) {
    const character = String.fromCharCode(unit)
    const text = `a${character}汉${character}é${character}`
    let columns = 0
    const ends = [0]
    eachCharacter(text, (length, width) => {
      columns += width
      ends.push((ends.at(-1) ?? 0) + length)
      return true
    })
    if (columns !== stringWidth(text) || ends.join() !== boundaries(text).join()) wrong.push(unit.toString(16))
  }
  expect(wrong).toEqual([])
})

test('a line is read as the segmenter reads it', () => {
  fc.assert(
    fc.property(pieces(40), text => {
      const line = text.replaceAll('\n', ' ')
      const ends = [0]
      eachCharacter(line, length => {
        ends.push((ends.at(-1) ?? 0) + length)
        return true
      })
      expect(ends).toEqual(boundaries(line))
    }),
  )
})

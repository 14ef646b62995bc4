import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { displayWidth, graphemes, isNarrow } from '../../../src/text/lines/width.ts'

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('東京', 'e\u0301', '👨‍👩‍👧', '🇩🇪', '⠙', '›', '─', '1\u20e3', '각', 'नि', '\u200b'),
)

test('a text has the width of the engine, however it was measured', () => {
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('').replaceAll(/[\u001b\u009b]/g, '')
      expect(displayWidth(text)).toBe(stringWidth(text))
    }),
  )
})

test('the graphemes of a text are those of the whole text, although only parts of it are segmented', () => {
  const segmenter = new Intl.Segmenter()
  const joining = fc.constantFrom(
    '\u0301',
    '\u200d',
    '\u0600',
    '\ufe0f',
    '🇩',
    '🏽',
    '❤',
    '©',
    '®',
    '\r',
    '\n',
    '각',
    'ᄀ',
    'ᅡ',
    '東',
    'क',
    '्',
  )
  const letters = fc.constantFrom('a', ' ', 'é', '©', '1', '─')
  fc.assert(
    fc.property(fc.array(fc.oneof(joining, letters, piece)), pieces => {
      const text = pieces.join('')
      expect([...graphemes(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment))
    }),
    { numRuns: 3000 },
  )
})

test('each narrow character is a grapheme of one column, whatever its neighbours', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).filter(isNarrow)
  expect(characters.length).toBeGreaterThan(900)
  for (const character of characters) expect([character, stringWidth(character)]).toEqual([character, 1])
  const segmenter = new Intl.Segmenter()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...characters)), some => {
      const text = some.join('')
      expect(Array.from(segmenter.segment(text), ({ segment }) => segment)).toEqual(some)
      expect([...graphemes(text)]).toEqual(some)
    }),
  )
})

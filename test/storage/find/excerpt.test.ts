/** The part of a text that shows why it was found. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerptOf } from '../../../src/storage/find/excerpt.ts'
import { readQuery } from '../../../src/storage/find/query.ts'

function shown(text: string, typed: string): string | null {
  const found = excerptOf(text, readQuery(typed))
  if (!found) return null
  const { excerpt, matches } = found
  return matches
    .toReversed()
    .reduce((rest, [from, to]) => `${rest.slice(0, from)}[${rest.slice(from, to)}]${rest.slice(to)}`, excerpt)
}

const fit = (text: string): number => excerptOf(text, readQuery('parser te'))?.fit ?? 0

describe('an excerpt', () => {
  test.each([
    ['Fix the failing test', 'test fail', 'Fix the [failing] [test]'],
    ['one\n\n  two\tthree', 'two', 'one [two] three'],
    ['the theatre', 'the th', '[the] [theatre]'],
    ['the', 'the th', '[the]'],
    ['Café', 'cafe', '[Café]'],
    ['東京タワー', '京タ', '東[京][タ]ワー'],
    ['nothing', 'else', null],
    ['only one', 'one two', null],
  ])('of %j for %j is %j', (text, typed, expected) => {
    expect(shown(text, typed)).toBe(expected)
  })

  test('begins shortly before the place where the words stand closest together', () => {
    const far = `alpha ${'filler '.repeat(200)}beta ${'filler '.repeat(200)}`
    const text = `${far}and here alpha beta ${'filler '.repeat(100)}`
    expect(shown(text, 'beta alpha')).toMatch(/^…(?:filler )+and here \[alpha\] \[beta\] filler .*filler…$/)
  })

  test('fits better where the words stand together and whole', () => {
    expect(fit('parser te')).toBe(1)
    expect(fit('parser test')).toBeLessThan(1)
    expect(fit(`parser ${'x '.repeat(100)}test`)).toBeLessThan(fit('parser test'))
  })

  test('is on one line, short, and says truly where the matches are, for any text', () => {
    const word = fc.constantFrom('alpha', 'beta', 'Ålpha', '東', ' ', '\n', '👍🏽', 'x'.repeat(300), '"', 'é')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), words => {
        const found = excerptOf(words.join(' '), readQuery('alpha bet'))
        const has = words.some(each => /^[aå]lpha$/i.test(each)) && words.includes('beta')
        expect(found !== null).toBe(has)
        if (!found) return
        expect(found.excerpt).not.toMatch(/[\n\t]| {2}/)
        expect(found.excerpt.length).toBeLessThanOrEqual(245)
        expect(found.excerpt.isWellFormed()).toBe(true)
        expect(found.matches.length).toBeGreaterThan(0)
        for (const [from, to] of found.matches) expect(found.excerpt.slice(from, to)).toMatch(/^(?:[aåÅ]lpha|beta)$/)
      }),
      { numRuns: 1000 },
    )
  })
})

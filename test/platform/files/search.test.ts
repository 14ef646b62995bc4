import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSearch, type FileSearch } from '../../../src/platform/files/search.ts'

const everything = Number.MAX_SAFE_INTEGER

function search(query: string, paths: readonly string[], recent: readonly string[] = [], limit = 100): FileSearch {
  const found = createSearch(query, paths, { recent, limit })
  found.advance(everything)
  return found
}

const found = (query: string, paths: readonly string[], recent?: readonly string[]): string[] =>
  search(query, paths, recent)
    .matches()
    .map(match => match.path)

/** The matched letters in brackets. */
function marked(query: string, path: string): string {
  const [match] = search(query, [path]).matches()
  if (!match) return ''
  return path
    .split('')
    .map((letter, at) => (match.positions.includes(at) ? `[${letter}]` : letter))
    .join('')
    .replaceAll('][', '')
}

describe('a search for files', () => {
  test.each<[query: string, best: string, then: string, why: string]>([
    ['main', 'main.ts', 'domain.ts', 'the start of a name before its middle'],
    ['main', 'src/deep/down/main.ts', 'domain.ts', 'that also further down'],
    ['main', 'src/app-main.ts', 'src/domain.ts', 'the start of a word before its middle'],
    ['main', 'src/appMain.ts', 'src/domain.ts', 'a word with a capital too'],
    ['main', 'src/domain.ts', 'main/file.ts', 'the name before the folder'],
    ['main', 'main/file.ts', 'src/my-app-index.ts', 'letters together before scattered ones'],
    ['main', 'src/main.ts', 'src/main-window.ts', 'the whole name before its start'],
    ['main', 'a/main.ts', 'bb/main.ts', 'the shorter path'],
    ['main', 'a/main.ts', 'b/main.ts', 'of equals the first of the alphabet'],
    ['src', 'src/', 'src/a.ts', 'a directory before what is in it'],
    ['src/', 'src/', 'src/a.ts', 'a directory with its slash'],
    ['src/ma', 'src/main.ts', 'src/a/format.ts', 'a folder and a name'],
    ['app/main', 'src/app/main.ts', 'src/app/main-window.ts', 'the end of a path'],
    ['fb', 'src/foo-bar.ts', 'src/afab.ts', 'the first letters of words'],
    ['fb', 'src/fooBar.ts', 'src/fob.ts', 'the first letters of words with capitals'],
    ['smt', 'xsxmxtx.md', 'src/some/m/thing.ts', 'letters in the name before letters in folders'],
  ])('%s: %s before %s: %s', (query, best, then) => {
    const paths = [then, best]
    expect(found(query, paths)[0]).toBe(best)
    expect(found(query, paths.toReversed())).toEqual(found(query, paths))
    expect(found(query, paths)).toHaveLength(2)
  })

  test('finds nothing if a letter is missing', () => {
    expect(found('mainz', ['main.ts', 'src/main.ts'])).toEqual([])
  })

  test('matches capitals exactly, and small letters in both cases', () => {
    const paths = ['README.md', 'readme.txt', 'src/Reader.ts']
    expect(found('read', paths).toSorted()).toEqual(paths.toSorted())
    expect(found('Read', paths).toSorted()).toEqual(['README.md', 'src/Reader.ts'])
    expect(found('READ', paths)).toEqual(['README.md'])
  })

  test('puts recently used files first, but not before much better matches', () => {
    const paths = ['a.ts', 'src/', 'src/format.ts', 'src/form/a.ts', 'test/form.ts']
    expect(found('', paths, ['test/form.ts', 'src/format.ts']).slice(0, 2)).toEqual(['test/form.ts', 'src/format.ts'])
    expect(found('form', paths, ['src/format.ts'])[0]).toBe('src/format.ts')
    expect(found('tf', ['test-file.ts', 'a/xtxxf.ts'], ['gone.ts', 'a/xtxxf.ts'])[0]).toBe('a/xtxxf.ts')
    expect(found('form', ['form.ts', 'f/o/r/m/x.ts'], ['f/o/r/m/x.ts'])[0]).toBe('form.ts')
  })

  test('lists all files without a text, those near the top first', () => {
    expect(found('', ['b/c/d.ts', 'b/', 'b/c/', 'a-long-name.ts'])).toEqual([
      'b/',
      'a-long-name.ts',
      'b/c/',
      'b/c/d.ts',
    ])
  })

  test('understands the notations of other programs', () => {
    expect(found('./src/a', ['src/a.ts'])).toEqual(['src/a.ts'])
    expect(found(String.raw`src\a`, ['src/a.ts'])).toEqual(['src/a.ts'])
    expect(found('my doc', ['my document.md', 'my/doc.md'])).toEqual(['my document.md'])
  })

  test('finds letters of all scripts', () => {
    expect(found('ÉT', ['src/été.ts', 'src/ÉTÉ.ts'])).toEqual(['src/ÉTÉ.ts'])
    expect(found('ét', ['src/été.ts', 'src/ÉTÉ.ts'])).toHaveLength(2)
    expect(found('漢', ['漢字.md', '字.md'])).toEqual(['漢字.md'])
    expect(found('😀', ['a/😀.md', 'a/😁.md'])).toEqual(['a/😀.md'])
    expect(found('İ', ['İ.md', 'i.md'])).toEqual(['İ.md'])
  })
})

describe('the matched letters', () => {
  test.each([
    ['main', 'src/domain/main.ts', 'src/domain/[main].ts'],
    ['main', 'src/domain-main.ts', 'src/domain-[main].ts'],
    ['fbt', 'src/foo-bar-test.ts', 'src/[f]oo-[b]ar-[t]est.ts'],
    ['sma', 'src/main.ts', '[s]rc/[ma]in.ts'],
    ['src/m', 'src/app/src/m.ts', 'src/app/[src/m].ts'],
    ['oB', 'foobar-oBject.ts', 'foobar-[oB]ject.ts'],
    ['fBar', 'foobar/fooBar.ts', 'foobar/[f]oo[Bar].ts'],
    ['', 'main.ts', 'main.ts'],
  ])('are marked for %s in %s', (query, path, expected) => {
    expect(marked(query, path)).toBe(expected)
  })
})

/** The letters in their order, small ones in both cases. */
function pattern(query: string): RegExp {
  const letters = query.split('').map(letter => (/[a-zé]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter))
  return new RegExp(letters.join('.*'))
}

describe('for any paths a search', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', 'c', 'C', '-', '.', 'é', '漢'),
    minLength: 1,
    maxLength: 6,
  })
  const path = fc.array(letters, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
  const paths = fc.uniqueArray(path, { maxLength: 40 })
  const query = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c', '/', '-', 'é'), maxLength: 4 })

  test('finds those with the letters in order, and marks these letters', () => {
    fc.assert(
      fc.property(paths, query, (all, typed) => {
        const result = search(typed, all)
        expect(
          result
            .matches()
            .map(match => match.path)
            .toSorted(),
        ).toEqual(all.filter(each => pattern(typed).test(each)).toSorted())
        for (const match of result.matches()) {
          expect(match.positions.map(at => match.path[at]).join('')).toMatch(pattern(typed))
          expect(match.positions).toEqual(match.positions.toSorted((a, b) => a - b))
          expect(match.positions).toHaveLength(typed.length)
        }
      }),
    )
  })

  test('in steps, with paths that come later, it is the same as at once', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 })
    fc.assert(
      fc.property(paths, query, steps, fc.integer({ min: 1, max: 9 }), (all, typed, counts, limit) => {
        const growing: string[] = []
        const current = createSearch(typed, growing, { limit })
        for (const count of counts) {
          growing.push(...all.slice(growing.length, growing.length + count))
          current.advance(count + 1)
        }
        growing.push(...all.slice(growing.length))
        while (!current.advance(3)) expect(current.matches().length).toBeLessThanOrEqual(limit)
        expect(current.matches()).toEqual(search(typed, all, [], limit).matches())
      }),
    )
  })
})

/** The search in all of /diff: what it finds is what stands in the paths and lines, whatever has been loaded so far. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DiffSearch,
  indexOfLine,
  lineAt,
  PATH,
  type SearchedText,
  type SearchPlace,
} from '../../../components/pages/diff/search.ts'
import { unnumbered } from '../../../src/text/diff-line.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { runs } from '../../helpers/length.ts'

function change(path: string): FileChange {
  const counts = { added: 1, removed: 1, isEstimate: false, calls: 1 }
  return { file: `/${path}`, path, from: null, kind: 'changed', form: 'text', ...counts }
}

const diffOf = (hunks: readonly (readonly string[])[]): FileDiff => ({
  hunks: hunks.map(lines => ({ title: '', lines: lines.map(text => unnumbered('+', text)) })),
  notes: [],
})

const text = fc.constantFrom('one', 'Two', 'a one and a one', '', 'three\rfour', 'ONE', 'two\none', 'three')
const anyDiff = fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 4 }).map(diffOf)
const anyFiles = fc.uniqueArray(fc.tuple(fc.constantFrom('one.ts', 'src/two.ts', 'a', 'ONE/b', 'c/three'), anyDiff), {
  selector: ([path]) => path,
  maxLength: 5,
})
const query = fc.constantFrom('one', 'O', 'two', 'r', 'a one', 'nowhere')

/** Every place with a match, found by looking at all of them. */
function plainly(files: readonly (readonly [string, FileDiff])[], wanted: string): SearchPlace[] {
  const fold = (of: string): string => (/\p{Lu}/u.test(wanted) ? of : of.toLowerCase())
  return files.flatMap(([path, { hunks }]) => {
    const lines = hunks.flatMap(hunk => hunk.lines).entries()
    const found = [...lines].flatMap(([at, line]) => (fold(line.text).includes(fold(wanted)) ? [at] : []))
    return [...(fold(path).includes(fold(wanted)) ? [PATH] : []), ...found].map(line => ({ file: `/${path}`, line }))
  })
}

test('the search finds each path and line once, numbers them in order, and wraps around in both directions', () => {
  fc.assert(
    fc.property(anyFiles, query, (given, wanted) => {
      const files = given.map(([path]) => change(path))
      const texts = new Map<string, SearchedText>(given.map(([path, diff]) => [`/${path}`, { path, diff }]))
      const search = new DiffSearch(wanted)
      while (search.step(files, texts));
      const all = plainly(given, wanted)
      expect(search.isDone(files)).toBe(true)
      expect(search.count(files)).toBe(all.length)
      for (const [index, place] of all.entries()) {
        expect(search.numberOf(files, place)).toBe(index + 1)
        expect(search.next(files, place, 1)).toEqual({ place: all[(index + 1) % all.length], isSure: true })
        expect(search.next(files, place, -1)).toEqual({ place: all.at(index - 1), isSure: true })
      }
      const nowhere = { file: '', line: PATH - 1 }
      expect(search.next(files, nowhere, 1).place).toEqual(all[0] ?? null)
    }),
    runs(300),
  )
})

test('a match is sure only if every file before it has been searched', () => {
  fc.assert(
    fc.property(anyFiles, query, fc.nat(), fc.constantFrom(1, -1), (given, wanted, missing, by) => {
      const files = given.map(([path]) => change(path))
      const late = files[missing % Math.max(1, files.length)]?.file
      const texts = new Map<string, SearchedText>(
        given.flatMap(([path, diff]) => (`/${path}` === late ? [] : [[`/${path}`, { path, diff }] as const])),
      )
      const search = new DiffSearch(wanted)
      while (search.step(files, texts));
      const from = { file: files[0]?.file ?? '', line: PATH - 1 }
      const early = search.next(files, from, by)
      for (const [path, diff] of given) texts.set(`/${path}`, texts.get(`/${path}`) ?? { path, diff })
      while (search.step(files, texts));
      const end = search.next(files, from, by).place
      expect(early.isSure ? early.place : end).toEqual(end)
    }),
    runs(300),
  )
})

test('a file that was loaded again is searched again, one that is too long only by its path', () => {
  const files = [change('one'), change('two')]
  const texts = new Map<string, SearchedText>([
    ['/one', { path: 'one', diff: diffOf([['word', 'word']]) }],
    ['/two', { path: 'a word', diff: null }],
  ])
  const search = new DiffSearch('word')
  while (search.step(files, texts));
  expect([search.count(files), search.linesOf('/two')]).toEqual([3, [PATH]])
  expect(search.numberOf(files, { file: '/one', line: 1 })).toBe(2)
  texts.set('/one', { path: 'one', diff: diffOf([['word', 'no']]) })
  while (search.step(files, texts));
  expect(search.linesOf('/one')).toEqual([0])
  expect(search.numberOf(files, { file: '/one', line: 1 })).toBe(1)
  // Nothing is match 0: lines above it may have come with an answer of git.
  texts.set('/one', { path: 'one', diff: diffOf([['no', 'word']]) })
  while (search.step(files, texts));
  expect(search.numberOf(files, { file: '/one', line: 0 })).toBe(1)
})

test('a place in a search is a line of a hunk, and the other way round', () => {
  fc.assert(
    fc.property(anyDiff, diff => {
      const lines = diff.hunks.flatMap(({ lines: all }) => all)
      for (const [index, line] of lines.entries()) {
        expect(lineAt(diff, index)?.line).toBe(line)
        expect(indexOfLine(diff, line)).toBe(index)
      }
      expect([lineAt(diff, PATH), lineAt(diff, lines.length)]).toEqual([null, null])
    }),
    runs(300),
  )
})

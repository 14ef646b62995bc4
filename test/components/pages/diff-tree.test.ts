/** The tree of changed files: which rows it has, and what is in its folders. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openRows, treeOf, type TreeRow } from '../../../components/pages/diff/tree.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { runs } from '../../helpers/length.ts'

function change(path: string, file = `/${path}`): FileChange {
  return { file, path, from: null, kind: 'changed', form: 'text', added: 1, removed: 1, isEstimate: false, calls: 1 }
}

/** Each row as it stands: two blanks for each folder that it is in. */
const drawn = (rows: readonly TreeRow[], closed: readonly string[] = []): string[] =>
  openRows(rows, new Set(closed)).map(row =>
    row.kind === 'folder'
      ? `${'  '.repeat(row.folder.depth)}${row.folder.name} ${row.folder.files.length}`
      : `${'  '.repeat(row.depth)}${row.name}`,
  )
const treeOfPaths = (...paths: readonly string[]): TreeRow[] => treeOf(paths.map(path => change(path)))

describe('the tree of changed files', () => {
  test('has folders with their files below them, and each file once', () => {
    expect(drawn(treeOfPaths('a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/deep/d.ts', 'z.ts'))).toEqual([
      'a.ts',
      'src/ 3',
      '  b.ts',
      '  deep/ 2',
      '    c.ts',
      '    d.ts',
      'z.ts',
    ])
  })

  test('shows folders with nothing but one folder in them in one row', () => {
    expect(drawn(treeOfPaths('src/app/pages/a.ts', 'src/app/pages/b.ts'))).toEqual([
      'src/app/pages/ 2',
      '  a.ts',
      '  b.ts',
    ])
  })

  test('hides what is in a closed folder', () => {
    const tree = treeOfPaths('src/a.ts', 'src/deep/b.ts', 'test/c.ts')
    expect(drawn(tree, ['src/'])).toEqual(['src/ 2', 'test/ 1', '  c.ts'])
    expect(drawn(tree, ['src/deep/'])).toEqual(['src/ 2', '  a.ts', '  deep/ 1', 'test/ 1', '  c.ts'])
  })

  test('has absolute paths, and those above the folder, in folders of their own', () => {
    expect(drawn(treeOfPaths('../near.ts', '/etc/hosts', 'a.ts'))).toEqual([
      '../ 1',
      '  near.ts',
      '/etc/ 1',
      '  hosts',
      'a.ts',
    ])
  })

  test('keeps apart a file and a folder of one name, and two files with one path', () => {
    expect(drawn(treeOf([change('a'), change('a/b'), change('a', '/other')]))).toEqual(['a', 'a', 'a/ 1', '  b'])
  })

  test('shows a nested repository, whose path is that of a folder, as a file', () => {
    expect(drawn(treeOfPaths('nested/', 'src/inner/'))).toEqual(['nested', 'src/ 1', '  inner'])
  })

  test('is no deeper than a terminal can show, however deep a path is', () => {
    const deepest = openRows(
      treeOfPaths('a/x', `a/${'b/x/'.repeat(50_000)}c`, `a/${'b/x/'.repeat(50_000)}d`, 'a/b/y'),
      new Set(),
    )
    expect(deepest.map(row => (row.kind === 'file' ? row.depth : row.folder.depth)).every(depth => depth <= 41)).toBe(
      true,
    )
    expect(deepest.filter(row => row.kind === 'file')).toHaveLength(4)
  })

  test('holds every file exactly once, in the order of the paths, and each folder knows those below it', () => {
    const name = fc.constantFrom('a', 'b', 'a-b', 'B', '..', '.x', '\u001B[2J', 'ü', ' ')
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map(parts => parts.join('/'))
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 30 }), fc.array(path, { maxLength: 5 }), (paths, closed) => {
        const tree = treeOf(paths.map(each => change(each)))
        const rows = openRows(tree, new Set())
        const files = rows.flatMap(row => (row.kind === 'file' ? [row.change.path] : []))
        expect(files.toSorted()).toEqual(paths.toSorted())
        for (const row of rows) {
          if (row.kind === 'file') continue
          const { folder } = row
          const below = openRows(folder.rows, new Set()).flatMap(each => (each.kind === 'file' ? [each.change] : []))
          expect(new Set(folder.files)).toEqual(new Set(below))
          expect(folder.files.every(each => each.path.startsWith(folder.path))).toBe(true)
        }
        // Whatever is closed, a row that is left is a row of the whole tree.
        const left = openRows(tree, new Set(closed.map(each => `${each}/`)))
        expect(left.every(row => rows.includes(row))).toBe(true)
      }),
      runs(300),
    )
  })
})

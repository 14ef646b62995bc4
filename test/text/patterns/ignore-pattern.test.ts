import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIgnoredBy, readIgnoreFile } from '../../../src/text/patterns/ignore-file.ts'
import { coversPath, matchesPath, readIgnorePattern } from '../../../src/text/patterns/ignore-pattern.ts'
import { makeProject } from '../../platform/files/project.ts'

function covers(pattern: string, path: string, isFolded = false): boolean {
  const read = readIgnorePattern(pattern, isFolded)
  return read !== null && coversPath(read, path)
}

const paths = (list: string): string[] => (list === '' ? [] : list.split(' '))

describe('a pattern of a .gitignore', () => {
  test.each<[pattern: string, matches: string, not: string]>([
    ['a', 'a b/a a/b b/a/c', 'ab A b'],
    ['*.log', 'x.log .log a/x.log x.log/y', 'x.logs xlog'],
    ['/a', 'a a/b', 'b/a'],
    ['a/', 'a/b b/a/c', 'a b/a'],
    ['a/b', 'a/b a/b/c', 'c/a/b a'],
    ['a/*', 'a/b a/b/c', 'a'],
    ['a/**', 'a/b a/b/c', 'a b/a/c'],
    ['**', 'a a/b', ''],
    ['**/a', 'a b/a b/c/a', 'ba'],
    ['a/**/b', 'a/b a/x/b a/x/y/b', 'ab a/xb'],
    ['a**b', 'ab axb', 'a/b'],
    ['**a/b', 'xa/b', 'x/xa/b'],
    ['?', 'a 🙂', 'ab'],
    ['a?c', 'abc', 'ac a/c'],
    ['[a-c]x', 'ax cx', 'dx x Ax'],
    ['[!a]', 'b ^', 'a'],
    ['[^a]', 'b', 'a'],
    ['[]a]', '] a', 'b'],
    ['[a-]', '- a', 'b'],
    [String.raw`[a\]]`, ']', 'b'],
    ['[[:digit:]_]', '5 _', 'a'],
    ['[[:upper:]]', 'A', 'a'],
    ['a[/]b', '', 'a/b'],
    [String.raw`\*`, '*', 'a'],
    [String.raw`a\b`, 'ab', String.raw`a\b`],
  ])('%s', (pattern, matches, not) => {
    expect(paths(matches).filter(path => !covers(pattern, path))).toEqual([])
    expect(paths(not).filter(path => covers(pattern, path))).toEqual([])
  })

  test.each(['[', '[a', '[]', '[a-', '[[:nothing:]]', 'a\\', '[a\\'])('%s can match nothing', pattern => {
    expect(readIgnorePattern(pattern, false)).toBeNull()
  })

  test('means the same to git', () => {
    const project = makeProject()
    project.git('init')
    const piece = fc.constantFrom(
      ...'a b A . * ** ? / [ab] [!a] [^b] [a-c] []a] [[:upper:]] [[:digit:]a] \\* \\a [ \\ - [a/b] [b-a] [a\\]b]'.split(
        ' ',
      ),
    )
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map(pieces => pieces.join(''))
    const name = fc
      .array(fc.constantFrom(...'a b A .x x1 * ] - 1 [ ab c'.split(' ')), { minLength: 1, maxLength: 3 })
      .map(pieces => pieces.join(''))
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'))
    const several = fc.uniqueArray(path, { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(
        pattern.filter(text => !/^\/*$/.test(text)),
        several,
        (text, all) => {
          writeFileSync(join(project.folder, '.git/info/exclude'), `${text}\n`)
          const input = all.join('\0')
          const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
            cwd: project.folder,
            input,
            encoding: 'utf8',
          })
          expect(all.filter(each => covers(text, each))).toEqual(stdout.split('\0').slice(0, -1))
        },
      ),
      { numRuns: 150 },
    )
  })

  test('is compared with every spelling of a name where that is requested', () => {
    const spellings = ['.GIT/x', '.g\u200cit/x', '.gI\ufe0ft/x']
    expect(spellings.map(path => covers('.git/**', path, true))).toEqual([true, true, true])
    expect(covers('.git/**', '.GIT/x')).toBe(false)
    expect(covers('caf\u00e9', 'cafe\u0301', true)).toBe(true)
    expect(covers('.config/fish', '.config/\ufb01sh', true)).toBe(true)
    expect(covers('[A-C][[:upper:]]', 'ab', true)).toBe(true)
    expect(covers('STRASSE', 'straße', true)).toBe(true)
  })

  test('knows folders, where a path itself is asked about', () => {
    const pattern = readIgnorePattern('build/', false)
    expect(pattern && [matchesPath(pattern, 'build', true), matchesPath(pattern, 'build', false)]).toEqual([
      true,
      false,
    ])
    expect(pattern && matchesPath(pattern, 'build/a', false)).toBe(false)
  })

  test('with many stars is decided for a long path', () => {
    const path = Array.from({ length: 16 }, () => 'a'.repeat(250)).join('/')
    expect(covers(`${'*a'.repeat(60)}*b`, path)).toBe(false)
    expect(covers(`${'**/'.repeat(60)}b`, path)).toBe(false)
  })
})

test.each<[file: string, path: string, isFolder: boolean, ignored: boolean | null]>([
  ['*.log\n!keep.log', 'a.log', false, true],
  ['*.log\n!keep.log', 'keep.log', false, false],
  ['*.log\n!keep.log', 'a.txt', false, null],
  ['!keep.log\n*.log', 'keep.log', false, true],
  ['# a\n\\#b\n\\!c', '#b', false, true],
  ['# a\n\\#b\n\\!c', '!c', false, true],
  ['# a', '# a', false, null],
  ['a  \r\nb', 'a', false, true],
  ['a\\ ', 'a ', false, true],
  ['a\\\\ ', 'a\\', false, true],
  ['\uFEFFa', 'a', false, true],
  ['BUILD/', 'build', true, true],
  ['build/', 'build', false, null],
  ['/\n\n  \n[', 'a', false, null],
  ['*'.repeat(1001), 'a', false, null],
])('the ignore file %j decides about %s', (file, path, isFolder, ignored) => {
  expect(isIgnoredBy(readIgnoreFile(file), path, isFolder)).toBe(ignored)
})

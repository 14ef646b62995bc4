/** Several diffs that are loaded by one question to git are the same as those loaded one by one. */
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitPatches } from '../../src/changes/patch.ts'
import { runs } from '../helpers/length.ts'
import { begin, makeRepository } from './repositories.ts'

const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('')

test('every kind of file has the same diff when it is loaded with others', async () => {
  const folder = makeRepository({
    'a.txt': lines(40),
    'a name "with" quotes\tand\na newline': lines(5),
    'ünïcode/ – file.txt': lines(5),
    'b/old.txt': lines(30),
    'gone.txt': lines(5),
    'crlf.txt': 'one\r\ntwo\r\n',
    'picture.png': Buffer.from([0, 1, 2, 3]),
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    'mode.sh': lines(3),
    link: 'is a file\n',
    'diff --git a/x b/x': 'diff --git a/x b/x\n',
  })
  const { collect } = await begin(folder)
  folder.put({
    'a.txt': lines(40).replace('line 3\n', 'three\n').replace('line 30\n', ''),
    'a name "with" quotes\tand\na newline': lines(6),
    'ünïcode/ – file.txt': lines(4),
    'crlf.txt': 'one\r\nthree\r\n',
    'picture.png': Buffer.from([0, 3, 2, 1]),
    'latin.txt': Buffer.from('th\xe9\n', 'latin1'),
    'new/one.txt': lines(7),
    'new/picture.png': Buffer.from([0, 9]),
    'diff --git a/x b/x': '\ndiff --git a/y b/y\n--- a/y\n',
  })
  folder.git('mv', 'b/old.txt', 'b/new.txt')
  rmSync(join(folder.path, 'gone.txt'))
  rmSync(join(folder.path, 'link'))
  symlinkSync('a.txt', join(folder.path, 'link'))
  chmodSync(join(folder.path, 'mode.sh'), 0o755)
  const { list, diffOf, diffsOf } = await collect()
  expect(list.session).toHaveLength(13)
  const together = await diffsOf?.(list.session)
  const alone = await Promise.all(list.session.map(diffOf))
  expect(together).toEqual(alone)
  const versions = new Map(list.session.map(({ path }, index) => [path, alone[index]?.version]))
  expect(versions.get('picture.png')).toMatch(/^[\da-f]+\.\.[\da-f]+$/)
  expect(versions.get('new/picture.png')).toMatch(/^\.\.[\da-f]{64}$/)
  expect(versions.get('a.txt')).toBeUndefined()
})

test('a file that is no longer in the list has a note instead of lines, also among others', async () => {
  const folder = makeRepository({ a: 'a\n', b: 'b\n' })
  const { collect } = await begin(folder)
  folder.put({ a: 'A\n', b: 'B\n' })
  const { list, diffsOf } = await collect()
  const [first] = list.session
  if (!first) throw new Error('nothing is listed')
  const diffs = await diffsOf?.([{ ...first, file: '/elsewhere' }, ...list.session])
  expect(diffs?.map(({ hunks }) => hunks.length)).toEqual([0, 1, 1])
  expect(diffs?.[0]?.notes).toEqual(['This file is no longer in the list.'])
})

test('files of which git knows no more have the notes that they have alone', async () => {
  const folder = makeRepository({ a: 'a\n', b: 'b\n' })
  const { collect } = await begin(folder)
  folder.put({ a: 'A\n', b: 'B\n' })
  const { list, diffOf, diffsOf } = await collect()
  writeFileSync(join(folder.path, 'a'), 'a\n')
  rmSync(join(folder.path, '.git/HEAD'))
  expect(await diffsOf?.(list.session)).toEqual(await Promise.all(list.session.map(diffOf)))
})

test('patches are split at their heads only, whatever their lines say', () => {
  const line = fc.constantFrom(' diff --git a/x b/x', '+diff --git a/y b/y', '-', '+--- a/z', '\\ No newline', ' ')
  const body = fc.array(line, { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(body, { maxLength: 6 }), bodies => {
      const patches = bodies.map((rows, index) =>
        [`diff --git a/${index} b/${index}`, '@@ -1 +1 @@', ...rows, ''].join('\n'),
      )
      const split = splitPatches(Buffer.from(patches.join('')))
      expect([...split].map(([head, bytes]) => [head, bytes.toString()])).toEqual(
        patches.map((patch, index) => [`diff --git a/${index} b/${index}`, patch]),
      )
    }),
    runs(300),
  )
})

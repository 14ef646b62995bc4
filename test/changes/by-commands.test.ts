import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { touchedFiles, withoutCalled, type TouchedFile } from '../../src/changes/by-commands.ts'
import { begin, makeRepository, type Folder } from './repositories.ts'

/** A moment behind all that was written until now, as the file system tells time. */
function momentIn({ path }: Folder): number {
  const mark = join(path, '..', 'mark')
  const touch = (): number => {
    writeFileSync(mark, String(performance.now()))
    return statSync(mark).ctimeMs
  }
  const first = touch()
  for (;;) {
    const now = touch()
    if (now > first) return now
  }
}

const inShort = ({ path, added, removed }: TouchedFile): string => `${path} +${added ?? '?'} -${removed ?? '?'}`

async function touchedSince(folder: Folder, work: () => void): Promise<TouchedFile[]> {
  const { repository, baseline } = await begin(folder)
  folder.put({ 'early.txt': 'by the user\n', tracked: 'by the user\n' })
  rmSync(join(folder.path, 'other', 'gone'))
  const since = momentIn(folder)
  work()
  const touched = await touchedFiles(repository, baseline, since, file => file.slice(folder.path.length + 1))
  return touched.ok ? touched.value : []
}

const files = {
  a: 'one\ntwo\n',
  tracked: 'x\n',
  'deep/er/b': 'b\n',
  'other/gone': 'g\n',
  'other/stays': 's\n',
  old: 'x\ny\n',
}

test('the changes of a command are the files touched since it began, with the line counts of git', async () => {
  const folder = makeRepository(files)
  const touched = await touchedSince(folder, () => {
    folder.put({ a: 'one\nthree\nfour\n', 'new.txt': '1\n2' })
    rmSync(join(folder.path, 'deep'), { recursive: true })
    folder.git('mv', 'old', 'young')
  })
  expect(touched.map(inShort).toSorted()).toEqual(['a +2 -1', 'deep/er/b +0 -1', 'new.txt +2 -0', 'young +0 -0'])
})

test('the changes of a command include commits, and have no line counts for files that were already changed before', async () => {
  const folder = makeRepository(files)
  folder.put({ a: 'changed before\n' })
  const touched = await touchedSince(folder, () => {
    folder.put({ a: 'and again\n', 'other/stays': 'committed\n' })
    folder.git('commit', '-qm', 'two', 'other/stays')
  })
  expect(touched.map(inShort).toSorted()).toEqual(['a +? -?', 'other/stays +1 -1'])
  expect((await withoutCalled(touched, [join(folder.path, 'a')])).map(({ path }) => path)).toEqual(['other/stays'])
})

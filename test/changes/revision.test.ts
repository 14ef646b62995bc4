/** The changes since a branch, tag or commit, in real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changesSinceRevision, mayBeRevision } from '../../src/changes/revision.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { inShort, linesOf, makeFolder, makeRepository, opened, type Folder } from './repositories.ts'

const since = ({ path, env }: Folder, rev: string) => changesSinceRevision({ folder: path, env, limit: 20_000 }, rev)

/** A branch that left `main` after its first commit, while `main` went on. */
function diverged(): Folder {
  const folder = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' })
  folder.git('branch', '-m', 'main')
  folder.git('checkout', '-qb', 'feature')
  folder.put({ 'a.txt': 'two\n' })
  folder.git('commit', '-qam', 'two')
  folder.git('tag', 'v1')
  folder.git('checkout', '-q', 'main')
  folder.put({ 'c.txt': 'of main\n' })
  folder.git('commit', '-qam', 'three')
  folder.git('checkout', '-q', 'feature')
  return folder
}

describe('the changes since a revision', () => {
  test('are those since the commit that both have: committed, uncommitted and new', async () => {
    const folder = diverged()
    folder.put({ 'b.txt': 'uncommitted\n', 'new.txt': 'new\n' })
    const found = await since(folder, 'main')
    expect(inShort(found.list.session)).toEqual(['a.txt +1 -1', 'b.txt +1 -1', 'new new.txt +1 -0'])
    expect(await linesOf(found, 'a.txt')).toEqual(['-one', '+two'])
    expect(found.list.notes).toEqual([])
  })

  test('of the same commit are none, however that is named', async () => {
    const folder = diverged()
    for (const rev of ['v1', 'HEAD', 'feature', 'refs/heads/feature', 'HEAD@{0}'])
      expect([rev, (await since(folder, rev)).list]).toEqual([rev, { session: [], before: [], unsure: 0, notes: [] }])
  })

  test('a commit is named by its beginning', async () => {
    const folder = diverged()
    const short = folder.git('rev-parse', '--short', 'main').trim()
    expect(inShort((await since(folder, short)).list.session)).toEqual(['a.txt +1 -1'])
  })

  test('a branch that only origin has is meant, too', async () => {
    const folder = diverged()
    folder.git('update-ref', 'refs/remotes/origin/theirs', 'main')
    expect(inShort((await since(folder, 'theirs')).list.session)).toEqual(['a.txt +1 -1'])
  })

  test('anything else is refused in one line, and nothing is written', async () => {
    const folder = diverged()
    const names = [
      'no-such-branch',
      'a..b',
      'HEAD:a.txt',
      ':/two-words',
      '@{u}',
      '--output=x',
      '-h',
      '--',
      'a b',
      '',
      '\u001B[2J',
    ]
    for (const rev of [...inheritedNames.slice(0, 3), ...names, 'x'.repeat(300)]) {
      const { list } = await since(folder, rev)
      expect([rev, list.session, list.notes]).toEqual([rev, [], [`There is no branch, tag or commit ${rev} here.`]])
    }
    expect(existsSync(join(folder.path, 'x'))).toBe(false)
  })

  test('another history is compared as it is, and says so', async () => {
    const folder = diverged()
    folder.git('checkout', '-q', '--orphan', 'other')
    folder.put({ 'a.txt': 'other\n' })
    folder.git('commit', '-qam', 'other')
    const { list } = await since(folder, 'main')
    expect(list.notes).toEqual(['main has no commit in common with this branch: its files are compared.'])
    expect(inShort(list.session)).toEqual(['a.txt +1 -1', 'c.txt +1 -1'])
  })

  test('works in the middle of a rebase with conflicts', async () => {
    const folder = diverged()
    folder.git('checkout', '-q', 'main')
    folder.put({ 'a.txt': 'of main\n' })
    folder.git('commit', '-qam', 'four')
    folder.git('checkout', '-q', 'feature')
    expect(() => folder.git('rebase', 'main')).toThrow('could not apply')
    const found = await since(folder, 'main')
    expect(found.list.session.map(({ path }) => path)).toEqual(['a.txt'])
    expect((await linesOf(found, 'a.txt')).join('\n')).toContain('<<<<<<<')
  })

  test('of a repository without a commit, and of no repository, there is one line', async () => {
    const fresh = makeRepository()
    expect((await since(fresh, 'main')).list.notes).toEqual(['There is no branch, tag or commit main here.'])
    expect((await since(makeFolder(), 'main')).list.notes[0]).toMatch(/^This folder is not in a git repository/)
  })
})

test('branches are listed, the newest first, without names that could be anything else', async () => {
  const folder = diverged()
  folder.git('update-ref', 'refs/remotes/origin/theirs', 'main')
  folder.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/theirs')
  execFileSync('git', ['update-ref', 'refs/heads/\u202Egnp', 'main'], { cwd: folder.path, env: folder.env })
  const listed = await (await opened(folder)).branches(50)
  expect(listed).toMatchObject({ ok: true })
  expect(listed.ok ? [...listed.value].toSorted() : []).toEqual(['feature', 'main', 'origin/theirs', 'v1'])
})

test('a revision is one word that is no option', () => {
  expect(['main', 'v1.0', 'HEAD~2', 'größe', '@'].filter(mayBeRevision)).toHaveLength(5)
  expect(['', '-x', 'a b', 'a\nb', '\u202Ea', 'a\0'].filter(mayBeRevision)).toEqual([])
})

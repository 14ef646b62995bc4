/** Makes worktrees in real repositories: ordinary, odd and hostile ones. */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWorktrees } from '../../src/worktrees/worktrees.ts'
import { slugOf } from '../../src/worktrees/create.ts'
import { worktreeAt, worktreesOf } from '../../src/worktrees/record.ts'
import { refusal, value, worktreeStage } from './stage.ts'

describe('a worktree', () => {
  test('begins at the commit that is checked out, on a branch of its own below the state folder', async () => {
    const { folder, stateFolder, worktrees, git, gitIn, read } = worktreeStage()
    const { worktree, folder: own, left } = await value(worktrees.create({ folder, prompt: 'Fix the tests, please!' }))
    expect(worktree).toMatchObject({
      branch: 'zotui/fix-the-tests-please-1',
      project: folder,
      from: folder,
      folder: own,
    })
    expect(own.startsWith(join(stateFolder, 'worktrees'))).toBe(true)
    expect(left).toBe(0)
    expect(read('a.txt', own)).toBe('one\n')
    expect(gitIn(own)('rev-parse', 'HEAD')).toBe(git('rev-parse', 'HEAD'))
    expect(gitIn(own)('symbolic-ref', 'HEAD')).toBe(`refs/heads/${worktree.branch}`)
    expect(git('status', '--porcelain')).toBe('')
  })

  test('is known by any folder in it, and by no other', async () => {
    const { stateFolder, folder, begun } = worktreeStage({ 'deep/a.txt': 'one\n' })
    const worktree = await begun()
    expect(worktreeAt(stateFolder, join(worktree.folder, 'deep'))).toEqual(worktree)
    for (const other of [folder, stateFolder, join(worktree.folder, '..'), `${worktree.folder}-more`])
      expect(worktreeAt(stateFolder, other)).toBeNull()
    expect(worktreesOf(stateFolder, folder)).toEqual([worktree])
  })

  test('does not hold what is uncommitted, and says how much that is', async () => {
    const { folder, worktrees, put, read, has } = worktreeStage()
    put({ 'a.txt': 'mine\n', 'new.txt': 'new\n' })
    expect(await value(worktrees.isDirty(folder))).toBe(true)
    const { folder: own, left } = await value(worktrees.create({ folder, prompt: 'x' }))
    expect([left, read('a.txt', own), has('new.txt', own), read('a.txt')]).toEqual([2, 'one\n', false, 'mine\n'])
  })

  test('is worked in at the same place as the folder that it was asked for in', async () => {
    const { folder, worktrees, put } = worktreeStage({ 'deep/a.txt': 'one\n' })
    put({ 'fresh/b.txt': 'b\n' })
    const deep = await value(worktrees.create({ folder: join(folder, 'deep'), prompt: 'x' }))
    expect(deep.folder).toBe(join(deep.worktree.folder, 'deep'))
    expect(deep.worktree.from).toBe(join(folder, 'deep'))
    // The worktree has no such folder.
    const fresh = await value(worktrees.create({ folder: join(folder, 'fresh'), prompt: 'x' }))
    expect(fresh.folder).toBe(fresh.worktree.folder)
  })

  test('gets the next number where a branch or a folder of its name is there', async () => {
    const { git, begun } = worktreeStage()
    git('branch', 'zotui/fix-it-1')
    git('branch', 'zotui/fix-it-2/below')
    expect((await begun()).branch).toBe('zotui/fix-it-3')
    expect((await begun()).branch).toBe('zotui/fix-it-4')
  })

  test('has another branch name where a branch is called zotui', async () => {
    const { git, begun } = worktreeStage()
    git('branch', 'zotui')
    expect((await begun()).branch).toBe('zotui-fix-it-1')
  })

  test('of several that are made at once, each is another one', async () => {
    const { folder, worktrees } = worktreeStage()
    const all = await Promise.all([1, 2, 3, 4].map(() => worktrees.create({ folder, prompt: 'x' })))
    const made = all.flatMap(answer => (answer.ok ? [answer.value.worktree.branch] : []))
    // Git may lock its settings: then one is refused, but none is shared.
    expect(new Set(made).size).toBe(made.length)
    expect(made.length).toBeGreaterThan(0)
  })

  test('begins at a detached head, in a submodule, and in another worktree', async () => {
    const { folder, worktrees, git, gitIn, top, commit } = worktreeStage()
    git('checkout', '-q', '--detach')
    const { folder: own } = await value(worktrees.create({ folder, prompt: 'x' }))
    const nested = await value(worktrees.create({ folder: own, prompt: 'nested' }))
    expect(nested.worktree.project).toBe(own)
    const other = join(top, 'other')
    mkdirSync(other)
    gitIn(other)('init', '-q')
    commit({ 'b.txt': 'b\n' }, other)
    git('submodule', '--quiet', 'add', other, 'sub')
    const below = await value(worktrees.create({ folder: join(folder, 'sub'), prompt: 'x' }))
    expect(readdirSync(below.folder)).toContain('b.txt')
  })

  test.each(['with space', 'quote"s\'', '-dash', 'ünïcode', '*', '$(touch x)', 'new\nline', '\u001b[31mred'])(
    'is made for a project in a folder named %j, with files named so',
    async name => {
      const { top, gitIn, worktrees, commit, has, git } = worktreeStage()
      const folder = join(top, name)
      mkdirSync(folder)
      gitIn(folder)('init', '-q')
      commit({ [name]: 'odd\n' }, folder)
      const { folder: own } = await value(worktrees.create({ folder, prompt: name }))
      expect(has(name, own)).toBe(true)
      expect(git('branch', '--list')).toBe('* main')
    },
  )
})

describe('there is no worktree', () => {
  test('without a repository, in a bare one, before the first commit, and in a folder that is gone', async () => {
    const { worktrees, top, gitIn } = worktreeStage()
    const at = (name: string): string => join(top, name)
    for (const name of ['plain', 'bare.git', 'unborn']) mkdirSync(at(name))
    gitIn(at('bare.git'))('init', '-q', '--bare')
    gitIn(at('unborn'))('init', '-q')
    const why = (name: string): Promise<string> => refusal(worktrees.create({ folder: at(name), prompt: 'x' }))
    expect(await why('plain')).toBe('this folder is not in a git repository')
    expect(await why('bare.git')).toBe('the repository is bare, so it has no files')
    expect(await why('unborn')).toBe('the repository has no commit yet, and a worktree needs one')
    expect(await why('gone')).toBe(`the folder ${at('gone')} is gone`)
  })

  test('in the repository of the home folder, and in one that has the folder of zotui in it', async () => {
    const { top, home, gitIn, commit, env } = worktreeStage()
    for (const repository of [home, join(top, 'wide')]) {
      const folder = join(repository, 'below')
      mkdirSync(folder, { recursive: true })
      gitIn(repository)('init', '-q')
      commit({ 'a.txt': 'one\n' }, repository)
      const worktrees = createWorktrees({ stateFolder: join(repository, 'state'), env, now: Date.now })
      const why = await refusal(worktrees.create({ folder, prompt: 'x' }))
      expect(why).toBe(
        repository === home ? 'your home folder is the repository' : "zotui's own folder is in the repository",
      )
    }
  })

  test('without git, and with an old one', async () => {
    const { folder, stateFolder, env, top } = worktreeStage()
    const withPath = (path: string) => createWorktrees({ stateFolder, env: { ...env, PATH: path }, now: Date.now })
    expect(await refusal(withPath(join(top, 'none')).create({ folder, prompt: 'x' }))).toBe('git is not installed')
    mkdirSync(join(top, 'bin'))
    writeFileSync(join(top, 'bin', 'git'), '#!/bin/sh\necho git version 2.30.2\n')
    chmodSync(join(top, 'bin', 'git'), 0o755)
    const why = await refusal(withPath(join(top, 'bin')).create({ folder, prompt: 'x' }))
    expect(why).toBe('worktrees need git 2.38, and this is git 2.30.2')
  })

  test('where the settings of the repository say that its files are in another folder', async () => {
    const { folder, home, worktrees, git } = worktreeStage()
    git('config', 'core.worktree', home)
    expect(await refusal(worktrees.create({ folder, prompt: 'x' }))).toMatch(
      /in another folder|not in a git repository/,
    )
    expect(readdirSync(home)).toEqual([])
  })

  test('where it cannot be made, and nothing is left of it', async () => {
    const { folder, stateFolder, worktrees, git } = worktreeStage()
    git('update-index', '--add', '--cacheinfo', '100644,1234567890123456789012345678901234567890,lost.txt')
    git('-c', 'core.hooksPath=/dev/null', 'commit-tree', git('rev-parse', 'HEAD^{tree}'), '-m', 'x')
    const tree = git('write-tree', '--missing-ok')
    git('update-ref', 'HEAD', git('commit-tree', tree, '-m', 'broken', '-p', 'HEAD'))
    expect(await refusal(worktrees.create({ folder, prompt: 'x' }))).toMatch(/^git: /)
    expect(worktreesOf(stateFolder, folder)).toEqual([])
    expect(git('branch', '--list')).toBe('* main')
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

test('no program runs that only the settings of the repository name, but those of the user do', async () => {
  const { folder, worktrees, git, commit, read, trap, home } = worktreeStage()
  const { command, isSprung } = trap()
  mkdirSync(join(folder, 'hooks'))
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
    symlinkSync(command, join(folder, 'hooks', hook))
  writeFileSync(join(home, '.gitconfig'), '[filter "mine"]\n smudge = tr a-z A-Z\n')
  commit({ '.gitattributes': 'a.txt filter=theirs\nb.txt filter=mine\n', 'b.txt': 'word\n' })
  git('config', 'filter.theirs.smudge', command)
  git('config', 'filter.theirs.process', command)
  git('config', 'core.fsmonitor', command)
  git('config', 'core.hooksPath', join(folder, 'hooks'))
  const { folder: own } = await value(worktrees.create({ folder, prompt: 'x' }))
  expect([read('a.txt', own), read('b.txt', own), isSprung()]).toEqual(['one\n', 'WORD\n', false])
})

test('a filter of the user finds no program in the settings of the repository: one that is not known is refused', async () => {
  const { folder, worktrees, git, commit, trap, home } = worktreeStage()
  const { command, isSprung } = trap()
  // As git LFS does with its extensions.
  const filter = join(home, 'filter')
  writeFileSync(filter, '#!/bin/sh\n$(git config lfs.extension.x.smudge || echo cat)\n', { mode: 0o755 })
  commit({ '.gitattributes': 'a.txt filter=mine\n' })
  git('config', 'lfs.extension.x.smudge', command)
  git('config', 'lfs.url', 'https://example.com/lfs')
  git('config', 'diff.external', command)
  writeFileSync(join(home, '.gitconfig'), `[filter "mine"]\n smudge = ${filter}\n clean = ${filter}\n`)
  const because = 'a filter of yours may run what the setting lfs.extension.x.smudge of the repository names'
  expect(await refusal(worktrees.create({ folder, prompt: 'x' }))).toBe(because)
  expect(await worktrees.isDirty(folder)).toEqual({ ok: false, why: because })
  expect(isSprung()).toBe(false)
  git('config', '--remove-section', 'lfs.extension.x')
  expect((await worktrees.create({ folder, prompt: 'x' })).ok).toBe(true)
  git('config', 'lfs.extension.x.smudge', command)
  writeFileSync(join(home, '.gitconfig'), '')
  expect((await worktrees.create({ folder, prompt: 'x' })).ok).toBe(true)
  expect(isSprung()).toBe(false)
})

test.each([
  ['Fix the failing tests', 'fix-the-failing-tests'],
  ['  Überprüfe die Länge; rm -rf ~', 'uberprufe-die-lange-rm-rf'],
  ['日本語だけ', 'task'],
  ['../../etc', 'etc'],
  ['a'.repeat(50), 'a'.repeat(32)],
  ['-x', 'x'],
])('a prompt %j names it %s', (prompt, slug) => expect(slugOf(prompt)).toBe(slug))

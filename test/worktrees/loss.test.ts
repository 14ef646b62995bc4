/** The work that would be lost with a worktree. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stageWithWorktree, worktreeStage } from './stage.ts'

const nothing = { commits: 0, files: 0, ignored: 0 }

test('ignored files count, a folder of them as one', async () => {
  const { stage, worktree } = await stageWithWorktree({}, { 'a.txt': 'one\n', '.gitignore': '.env\nbuilt/\n' })
  expect(await stage.worktrees.loss(worktree)).toEqual(nothing)
  stage.put({ '.env': 'KEY=1\n', 'built/a': 'a', 'built/b': 'b' }, worktree.folder)
  expect(await stage.worktrees.loss(worktree)).toEqual({ ...nothing, ignored: 2 })
})

test('of a submodule, files count and commits that its remote does not have, and its settings run nothing', async () => {
  const stage = worktreeStage()
  const library = join(stage.top, 'library')
  mkdirSync(library)
  stage.gitIn(library)('init', '-q', '-b', 'main', '--template=')
  stage.commit({ 'lib.txt': 'lib\n', '.gitignore': '*.o\n' }, library)
  stage.git('submodule', '--quiet', 'add', library, 'sub')
  stage.commit({})
  const worktree = await stage.begun()
  stage.gitIn(worktree.folder)('submodule', '--quiet', 'update', '--init')
  const folder = join(worktree.folder, 'sub')
  const loss = () => stage.worktrees.loss(worktree)
  expect(await loss()).toEqual(nothing)
  // A changed file, a new one, and an ignored one.
  stage.put({ 'lib.txt': 'agent\n', 'new.txt': 'new\n', 'x.o': 'x' }, folder)
  expect(await loss()).toEqual({ ...nothing, files: 2, ignored: 1 })
  rmSync(join(folder, 'x.o'))
  stage.commit({}, folder)
  expect(await loss()).toEqual({ commits: 1, files: 1, ignored: 0 })
  const trap = stage.trap()
  stage.gitIn(folder)('config', 'filter.x.clean', trap.command)
  stage.gitIn(folder)('config', 'core.fsmonitor', trap.command)
  stage.put({ '.gitattributes': '* filter=x\n', 'lib.txt': 'changed\n' }, folder)
  await loss()
  expect([trap.isSprung(), existsSync(folder)]).toEqual([false, true])
})

test('where somebody has deleted the branch, git cannot tell which commits are lost, and nothing is taken', async () => {
  const { stage, worktree } = await stageWithWorktree()
  stage.commit({ 'a.txt': 'of the agent\n' }, worktree.folder)
  stage.git('update-ref', '-d', `refs/heads/${worktree.branch}`)
  expect(await stage.worktrees.loss(worktree)).toMatchObject({ commits: null })
  const why = `its branch ${worktree.branch} is gone`
  expect(await stage.worktrees.preview(worktree, 'merge')).toEqual({ ok: false, why })
})

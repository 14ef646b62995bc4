/** The work that would be lost with a worktree. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { worktreeStage, type WorktreeStage } from './stage.ts'

const nothing = { commits: 0, files: 0, ignored: 0 }

test('ignored files count, a folder of them as one', async () => {
  const stage = worktreeStage({ 'a.txt': 'one\n', '.gitignore': '.env\nbuilt/\n' })
  const worktree = await stage.begun()
  expect(await stage.worktrees.loss(worktree)).toEqual(nothing)
  stage.put({ '.env': 'KEY=1\n', 'built/a': 'a', 'built/b': 'b' }, worktree.folder)
  expect(await stage.worktrees.loss(worktree)).toEqual({ ...nothing, ignored: 2 })
})

/** A worktree in which the submodule `sub` is checked out. */
async function withSubmodule(): Promise<{ stage: WorktreeStage; folder: string; loss: () => Promise<unknown> }> {
  const stage = worktreeStage({ 'a.txt': 'one\n' })
  const library = join(stage.top, 'library')
  stage.put({ 'lib.txt': 'lib\n', '.gitignore': '*.o\n' }, library)
  stage.gitIn(library)('init', '-q', '-b', 'main')
  stage.commit({}, library)
  stage.git('submodule', '--quiet', 'add', library, 'sub')
  stage.commit({})
  const worktree = await stage.begun()
  stage.gitIn(worktree.folder)('submodule', '--quiet', 'update', '--init')
  return { stage, folder: join(worktree.folder, 'sub'), loss: () => stage.worktrees.loss(worktree) }
}

test('files of a submodule count: changed, new and ignored ones', async () => {
  const { stage, folder, loss } = await withSubmodule()
  expect(await loss()).toEqual(nothing)
  stage.put({ 'lib.txt': 'agent\n', 'new.txt': 'new\n', 'x.o': 'x' }, folder)
  expect(await loss()).toEqual({ ...nothing, files: 2, ignored: 1 })
})

test('commits of a submodule count that its remote does not have', async () => {
  const { stage, folder, loss } = await withSubmodule()
  stage.commit({ 'lib.txt': 'agent\n' }, folder)
  expect(await loss()).toEqual({ commits: 1, files: 1, ignored: 0 })
})

test('the settings of a submodule run nothing', async () => {
  const { stage, folder, loss } = await withSubmodule()
  const trap = stage.trap()
  stage.gitIn(folder)('config', 'filter.x.clean', trap.command)
  stage.gitIn(folder)('config', 'core.fsmonitor', trap.command)
  stage.put({ '.gitattributes': '* filter=x\n', 'lib.txt': 'agent\n' }, folder)
  await loss()
  expect([trap.isSprung(), existsSync(folder)]).toEqual([false, true])
})

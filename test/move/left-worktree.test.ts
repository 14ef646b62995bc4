/** A worktree that a killed way back has left is removed with its branch, so it must hold nothing of the person's. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leftWorktree, promptOf } from '../../src/app/move/left-worktree.ts'
import type { MoveRecord } from '../../src/move/record.ts'
import { createWorktrees } from '../../src/worktrees/worktrees.ts'
import { endedName, moveStage } from './stage.ts'

async function left({ hasSubmodule = false } = {}) {
  const stage = moveStage()
  const { folder, stateFolder, env, git } = stage
  if (hasSubmodule) {
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(folder, 'rev-parse', 'HEAD')},part`)
    git(folder, 'commit', '-q', '-m', 'with a submodule')
  }
  const worktrees = createWorktrees({ stateFolder, env, now: () => 2 })
  const made = await worktrees.create({ folder, prompt: promptOf({ machine: 'ssh:far' }) })
  if (!made.ok) throw new Error(made.why)
  const { worktree } = made.value
  const [head, tree] = [git(folder, 'rev-parse', 'HEAD'), git(folder, 'rev-parse', 'HEAD^{tree}')]
  const facts = { head, commit: head, tree }
  const record: MoveRecord = {
    ...facts,
    id: '0123456789abcdef',
    machine: 'ssh:far',
    there: { folder: '/far', top: '/far', branch: null },
    folder,
    top: folder,
    branch: 'main',
    at: 0,
    bringing: { ...facts, owner: endedName(), isWorktree: true, at: 1 },
  }
  const find = async () => leftWorktree(stage.here, record, worktrees)
  return { ...stage, worktree, find }
}

describe('the worktree that a killed way back has left', () => {
  test('is found as long as nobody has worked in it', async () => {
    const { find, worktree } = await left()
    expect(await find()).toEqual(worktree)
  })

  test('is not taken for left if somebody has committed to its branch, and looks at the commit before', async () => {
    const { find, worktree, git, write } = await left()
    write(join(worktree.folder, 'mine.txt'), 'mine\n')
    git(worktree.folder, 'add', '-A')
    git(worktree.folder, 'commit', '-q', '-m', 'mine')
    git(worktree.folder, 'checkout', '-q', '--detach', worktree.base)
    expect(await find()).toBe(null)
  })

  test('is not taken for left if a submodule was checked out in it', async () => {
    const { find, worktree, git, write } = await left({ hasSubmodule: true })
    expect(await find()).toEqual(worktree)
    const part = join(worktree.folder, 'part')
    git(worktree.folder, 'clone', '-q', worktree.project, part)
    git(part, 'checkout', '-q', `${worktree.base}^`)
    write(join(part, 'a.txt'), 'mine\n')
    expect(await find()).toBe(null)
  })
})

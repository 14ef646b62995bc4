/** A way back into a worktree is killed: the next one finds what it has left, and removes it only if nobody has touched it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { leftWorktree, promptOf } from '../../src/app/move/left-worktree.ts'
import { fetchBack } from '../../src/move/back.ts'
import type { MoveRecord } from '../../src/move/record.ts'
import { ownName } from '../../src/platform/owner.ts'
import { writeRecord, type Worktree } from '../../src/worktrees/record.ts'
import { createWorktrees, type Worktrees } from '../../src/worktrees/worktrees.ts'
import { begun, gone, how, work } from './folder-there.ts'
import { endedName, leftOvers, type MoveStage } from './stage.ts'

/** The steps of a way back, after each of which it can be killed. */
const STEPS = ['it is made', 'its files are written', 'its base is noted'] as const

type Left = { stage: MoveStage; record: MoveRecord; worktree: Worktree; worktrees: Worktrees }

/** A worktree whose zotui was killed after a step. */
async function left(
  step: (typeof STEPS)[number] = 'its base is noted',
  prepare: (stage: MoveStage) => void = () => {},
): Promise<Left> {
  const stage = begun()
  prepare(stage)
  const { env, folder, stateFolder, write } = stage
  const former = await gone(stage)
  work(stage)
  write(join(folder, 'mine.txt'), 'changed since\n')
  const back = await fetchBack(stage, former, how(stage))
  const { head, commit, tree } = back.pack
  const bringing = { owner: endedName(), head, commit, tree, isWorktree: true, at: Date.now() }
  const record = { ...former, bringing }
  const worktrees = createWorktrees({ stateFolder, env, now: Date.now })
  const made = await worktrees.create({ folder, prompt: promptOf(record) })
  if (!made.ok) throw new Error(made.why)
  const { worktree } = made.value
  const base = step === 'it is made' ? null : await back.toWorktree(worktree.folder)
  if (step === 'its base is noted' && base !== null) writeRecord({ ...worktree, base })
  await back.end(false)
  return { stage, record, worktree, worktrees }
}

const found = async ({ stage, record, worktrees }: Left): Promise<string | undefined> =>
  (await leftWorktree(stage.here, record, worktrees))?.folder

describe('a worktree that a killed way back has left', () => {
  test.each(STEPS)('is found after %s, and goes with its branch', async step => {
    const all = await left(step)
    const { stage, worktree, worktrees } = all
    expect(await found(all)).toBe(worktree.folder)
    expect(await worktrees.discard(worktree)).toEqual({ ok: true, value: null })
    expect(existsSync(worktree.folder)).toBe(false)
    expect(stage.git(stage.folder, 'branch', '--format=%(refname:short)')).toBe('main')
    expect(await found(all)).toBe(undefined)
    expect(leftOvers(stage)).toEqual([])
  })

  test.each([
    ['a file was changed', ({ stage, worktree }: Left) => stage.write(join(worktree.folder, 'a.txt'), 'mine\n')],
    ['a file was added', ({ stage, worktree }: Left) => stage.write(join(worktree.folder, 'x'), 'mine\n')],
    [
      'a file that git ignores was added',
      ({ stage, worktree }: Left) => {
        stage.write(join(stage.folder, '.git', 'info', 'exclude'), 'secret\n')
        stage.write(join(worktree.folder, 'secret'), 'mine\n')
      },
    ],
    [
      'something was committed',
      ({ stage, worktree }: Left) => void stage.git(worktree.folder, 'commit', '-q', '--allow-empty', '-m', 'x'),
    ],
    [
      'something was committed, and the commit before is checked out',
      ({ stage, worktree }: Left) => {
        stage.git(worktree.folder, 'commit', '-q', '--allow-empty', '-m', 'x')
        stage.git(worktree.folder, 'checkout', '-q', '--detach', 'HEAD^')
      },
    ],
    [
      'another branch was checked out',
      ({ stage, worktree }: Left) => void stage.git(worktree.folder, 'checkout', '-q', '-b', 'mine'),
    ],
    [
      'a merge was begun',
      ({ stage, worktree }: Left) => {
        const { git } = stage
        git(worktree.folder, 'stash', '-q', '-u')
        git(
          worktree.folder,
          'merge',
          '-q',
          '--no-ff',
          '--no-commit',
          git(worktree.folder, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'x'),
        )
        git(worktree.folder, 'stash', 'pop', '-q')
      },
    ],
    [
      'only what is staged was changed',
      ({ stage, worktree }: Left) => {
        const { git, read, write } = stage
        const path = join(worktree.folder, 'a.txt')
        const before = read(path)
        write(path, 'staged\n')
        git(worktree.folder, 'add', 'a.txt')
        write(path, before)
      },
    ],
  ])('stays if %s in it', async (_what, touch) => {
    const all = await left()
    touch(all)
    expect(await found(all)).toBe(undefined)
    expect(existsSync(all.worktree.folder)).toBe(true)
  })

  test('stays if a submodule was checked out in it', async () => {
    const all = await left('its base is noted', ({ git, folder }) => {
      git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(folder, 'rev-parse', 'HEAD')},part`)
      git(folder, 'commit', '-q', '-m', 'with a submodule')
    })
    const { stage, worktree } = all
    expect(await found(all)).toBe(worktree.folder)
    const part = join(worktree.folder, 'part')
    stage.git(worktree.folder, 'clone', '-q', worktree.project, part)
    stage.git(part, 'checkout', '-q', `${worktree.base}^`)
    stage.write(join(part, 'a.txt'), 'mine\n')
    expect(await found(all)).toBe(undefined)
  })

  test('stays while a conversation works in it', async () => {
    const all = await left()
    onTestFinished(all.worktrees.use(all.worktree.folder))
    expect(await found(all)).toBe(undefined)
  })

  test('is another one if it is older than the way back, or was made for something else', async () => {
    const all = await left()
    writeRecord({ ...all.worktree, at: (all.record.bringing?.at ?? 0) - 1 })
    expect(await found(all)).toBe(undefined)
    writeRecord({ ...all.worktree, prompt: 'mine' })
    expect(await found(all)).toBe(undefined)
  })

  test('is not looked for while its zotui still runs', async () => {
    const all = await left()
    const { bringing } = all.record
    const record = { ...all.record, bringing: bringing && { ...bringing, owner: ownName() } }
    await expect(found({ ...all, record })).rejects.toThrow('another zotui brings it back at this moment')
  })
})

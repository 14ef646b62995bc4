import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fetchBack } from '../../src/move/back.ts'
import type { MoveRecord } from '../../src/move/record.ts'
import { ownName } from '../../src/platform/owner.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { begun, gone, how, work } from './folder-there.ts'
import { endedName, leftOvers, type MoveStage } from './stage.ts'

/** The way back is killed: git here is not run any more from this command on. Resolves to the record that is left. */
async function killedAt(stage: MoveStage, record: MoveRecord, command: string): Promise<MoveRecord> {
  const { here } = stage
  stage.here = {
    ...here,
    git: async (folder, variables) => {
      const git = await here.git(folder, variables)
      return async (args, ...more) => {
        if (args[0] === command) throw new Error('killed')
        return git(args, ...more)
      }
    },
  }
  const cut = await fetchBack(stage, record, how(stage))
  const { head, commit, tree } = cut.pack
  await cut.into().catch(String)
  stage.here = here
  await cut.end(false)
  return { ...record, bringing: { owner: endedName(), head, commit, tree, isWorktree: false, at: Date.now() } }
}

const asThere = ['M a.txt', '?? mine.txt', '?? new.txt']
const statusOf = ({ folder, git }: MoveStage): string[] =>
  git(folder, 'status', '--porcelain')
    .split('\n')
    .map(row => row.trim())

describe('a folder comes back', () => {
  test('into the folder that it came from, which is as it was', async () => {
    const stage = begun()
    const { folder, folderThere, git, read } = stage
    const record = await gone(stage)
    work(stage)
    const back = await fetchBack(stage, record, how(stage))
    expect(back.plan).toMatchObject({ way: 'into' })
    expect(git(folder, 'log', '-1', '--format=%s')).toBe('second')
    await back.into()
    await back.end(true)
    expect(git(folder, 'log', '-1', '--format=%s')).toBe('there')
    expect(git(folder, 'branch', '--show-current')).toBe('main')
    for (const name of ['a.txt', 'c.txt', 'new.txt', 'mine.txt'])
      expect(read(join(folder, name))).toBe(read(join(folderThere, name)))
    expect(
      git(folder, 'status', '--porcelain')
        .split('\n')
        .map(row => row.trim()),
    ).toEqual(['M a.txt', '?? mine.txt', '?? new.txt'])
    expect(git(folder, 'for-each-ref', 'refs/zotui')).toBe('')
    expect(leftOvers(stage)).toEqual([])
  })

  test.each([
    [
      'a file has changed here',
      ({ folder, write }: MoveStage) => write(join(folder, 'mine.txt'), 'changed since\n'),
      'files have changed here meanwhile',
    ],
    [
      'somebody has committed here',
      ({ folder, git }: MoveStage) => void git(folder, 'commit', '-q', '--allow-empty', '-m', 'x'),
      'another commit is checked out here now',
    ],
    [
      'another branch is checked out here',
      ({ folder, git }: MoveStage) => void git(folder, 'checkout', '-q', '-b', 'other'),
      'another commit is checked out here now',
    ],
    [
      'an ignored file is in the way',
      ({ folder, write }: MoveStage) => {
        write(join(folder, '.git', 'info', 'exclude'), 'new.txt\n')
        write(join(folder, 'new.txt'), 'secret\n')
      },
      'there is an ignored new.txt here',
    ],
    [
      'the commits were changed there',
      ({ folderThere, git }: MoveStage) => {
        git(folderThere, 'reset', '-q', '--soft', 'HEAD~1')
        git(folderThere, 'commit', '-q', '--amend', '-m', 'y')
      },
      'the commits of then were changed there',
    ],
  ])('into a worktree if %s, and nothing of the folder here changes', async (_what, change, why) => {
    const stage = begun()
    const { folder, folderThere, stateFolder, git, read } = stage
    const record = await gone(stage)
    work(stage)
    change(stage)
    const before = snapshot([folder], [join(folder, '.git')])
    const back = await fetchBack(stage, record, how(stage))
    expect(back.plan).toEqual({ way: 'worktree', why })
    const place = join(stateFolder, 'wt')
    git(folder, 'worktree', 'add', '-q', '-b', 'back', place)
    await back.toWorktree(place)
    await back.end(true)
    expect(read(join(place, 'a.txt'))).toBe('changed there\n')
    expect(git(place, 'rev-parse', 'HEAD')).toBe(git(folderThere, 'rev-parse', 'HEAD'))
    expect(read(join(place, 'new.txt'))).toBe('new there\n')
    expect(snapshot([folder], [join(folder, '.git')])).toBe(before)
  })

  test.each([
    ['a file', ({ folder, write }: MoveStage) => write(join(folder, 'data'), 'secret\n')],
    ['a link', ({ folder, stateFolder }: MoveStage) => symlinkSync(stateFolder, join(folder, 'data'))],
  ])('into a worktree if %s that git ignores is where a folder would be', async (_what, put) => {
    const stage = begun()
    const { folder, folderThere, write } = stage
    const record = await gone(stage)
    write(join(folderThere, 'data', 'x'), 'there\n')
    write(join(folder, '.git', 'info', 'exclude'), 'data\n')
    put(stage)
    const back = await fetchBack(stage, record, how(stage))
    expect(back.plan).toEqual({ way: 'worktree', why: 'there is an ignored data here' })
  })

  test('into the folder if a folder is there now where a file of git was', async () => {
    const stage = begun()
    const { folder, folderThere, read, write } = stage
    const record = await gone(stage)
    rmSync(join(folderThere, 'old.txt'))
    write(join(folderThere, 'old.txt', 'x'), 'there\n')
    const back = await fetchBack(stage, record, how(stage))
    await back.into()
    expect(read(join(folder, 'old.txt', 'x'))).toBe('there\n')
  })

  test('and nothing is written into the folder if it changes after the question', async () => {
    const stage = begun()
    const { folder, write } = stage
    const record = await gone(stage)
    work(stage)
    const back = await fetchBack(stage, record, how(stage))
    write(join(folder, 'mine.txt'), 'changed since\n')
    const before = snapshot([folder], [join(folder, '.git')])
    await expect(back.into()).rejects.toThrow('files have changed here meanwhile')
    await back.end(false)
    expect(snapshot([folder], [join(folder, '.git')])).toBe(before)
    expect(leftOvers(stage)).toEqual([])
  })

  test.each([
    ['before its files are written', 'read-tree', false],
    ['after that', 'reset', true],
    ['when all of it is here', 'none', true],
  ])('after a way back that was killed %s, and undone it is as it was before both', async (_when, command, isHalf) => {
    const stage = begun()
    const { folder, git } = stage
    const record = await gone(stage)
    const before = snapshot([folder], [join(folder, '.git')])
    work(stage)
    const left = await killedAt(stage, record, command)
    const back = await fetchBack(stage, left, how(stage))
    expect(back.plan).toMatchObject({ way: 'into', isHalf })
    const undo = await back.into()
    expect([git(folder, 'log', '-1', '--format=%s'), ...statusOf(stage)]).toEqual(['there', ...asThere])
    expect(await undo()).toBe(true)
    expect(snapshot([folder], [join(folder, '.git')])).toBe(before)
    expect(git(folder, 'log', '-1', '--format=%s')).toBe('second')
    await back.end(true)
    expect(leftOvers(stage)).toEqual([])
  })

  test('also after a move that was killed before its record was written, whose reference hinders nothing and can be removed', async () => {
    const stage = begun()
    const { folder, folderThere, git } = stage
    const { id } = await gone(stage)
    await stage.there.remove(folderThere)
    const record = await gone(stage)
    work(stage)
    const back = await fetchBack(stage, record, how(stage))
    await back.into()
    await back.end(true)
    expect(git(folder, 'log', '-1', '--format=%s')).toBe('there')
    const left = git(folder, 'for-each-ref', '--format=%(refname)', 'refs/zotui')
    expect(left).toBe(`refs/zotui/moved/${id}`)
    git(folder, 'update-ref', '-d', left)
    expect(git(folder, 'for-each-ref', 'refs/zotui')).toBe('')
  })

  test('into a worktree after a kill, if somebody has changed a file here since', async () => {
    const stage = begun()
    const record = await gone(stage)
    work(stage)
    const left = await killedAt(stage, record, 'reset')
    stage.write(join(stage.folder, 'a.txt'), 'mine\n')
    const back = await fetchBack(stage, left, how(stage))
    expect(back.plan).toEqual({ way: 'worktree', why: 'files have changed here meanwhile' })
    await back.end(false)
    expect(stage.read(join(stage.folder, 'a.txt'))).toBe('mine\n')
  })

  test('not while another zotui brings it', async () => {
    const stage = begun()
    const record = await gone(stage)
    work(stage)
    const { bringing, ...left } = await killedAt(stage, record, 'reset')
    const alive = { ...left, bringing: bringing && { ...bringing, owner: ownName() } }
    await expect(fetchBack(stage, alive, how(stage))).rejects.toThrow('another zotui brings it back at this moment')
    expect(leftOvers(stage)).toEqual([])
  })

  test('not at all if the folder there is gone, and that is said', async () => {
    const stage = begun()
    const record = await gone(stage)
    await stage.there.remove(stage.folderThere)
    await expect(fetchBack(stage, record, how(stage))).rejects.toThrow(/git/)
    expect(leftOvers(stage)).toEqual([])
    expect(existsSync(stage.folder)).toBe(true)
  })
})

import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carryAway, prepareAway, type MoveAway } from '../../src/move/away.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { leftOvers, moveStage, type MoveStage } from './stage.ts'

const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

async function away(stage: MoveStage): Promise<MoveAway> {
  return prepareAway(stage, stage)
}

/** All of it, to the end. */
async function moved(stage: MoveStage) {
  const prepared = await away(stage)
  const unpacked = await carryAway(stage, prepared, how(stage))
  await prepared.end()
  return { ...unpacked, ...prepared }
}

describe('a folder goes to another machine', () => {
  test('with its commits, and with what is not committed as it was', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write, read } = stage
    write(join(folder, '.gitignore'), 'built/\n')
    write(join(folder, 'old.txt'), 'old\n')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'second')
    write(join(folder, 'a.txt'), 'changed\n')
    write(join(folder, 'staged.txt'), 'staged\n')
    git(folder, 'add', 'staged.txt')
    git(folder, 'rm', '-q', 'old.txt')
    write(join(folder, 'new', 'näme with "quotes" and\nnewline.txt'), 'new\n')
    write(join(folder, 'built', 'out.js'), 'built\n')
    write(join(folder, 'run.sh'), '#!/bin/sh\n')
    chmodSync(join(folder, 'run.sh'), 0o755)
    symlinkSync('a.txt', join(folder, 'link'))
    const before = snapshot([folder], [join(folder, '.git', 'objects'), join(folder, '.git', 'refs')])

    const { branch, top, look } = await moved(stage)

    expect({ branch, top }).toEqual({ branch: 'main', top: folderThere })
    expect(look).toMatchObject({ changed: 3, fresh: 3, ignored: 1, submodules: [], filtered: 0 })
    expect(git(folderThere, 'log', '--format=%s')).toBe('second\nfirst')
    expect(
      git(folderThere, 'status', '--porcelain')
        .split('\n')
        .map(row => row.trim()),
    ).toEqual(['M a.txt', 'D old.txt', '?? link', '?? new/', '?? run.sh', '?? staged.txt'])
    expect(read(join(folderThere, 'a.txt'))).toBe('changed\n')
    expect(read(join(folderThere, 'new', 'näme with "quotes" and\nnewline.txt'))).toBe('new\n')
    expect(git(folderThere, 'ls-files', '--stage', '--others').includes('run.sh')).toBe(true)
    expect(existsSync(join(folderThere, 'built'))).toBe(false)
    expect(snapshot([folder], [join(folder, '.git', 'objects'), join(folder, '.git', 'refs')])).toBe(before)
    expect(leftOvers(stage)).toEqual([])
  })

  test('into a clean checkout of the same repository, on a branch of its own, and only with what is missing', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write, read } = stage
    git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
    write(join(folder, 'a.txt'), 'two\n')
    git(folder, 'commit', '-q', '-am', 'second')
    write(join(folder, 'b.txt'), 'uncommitted\n')
    const { branch, pack } = await moved(stage)
    expect(branch).toBe('zotui-moved-main')
    expect(pack.bytes).toBeLessThan(2000)
    expect(git(folderThere, 'branch', '--show-current')).toBe('zotui-moved-main')
    expect(git(folderThere, 'log', '-1', '--format=%s', 'main')).toBe('first')
    expect(git(folderThere, 'log', '-1', '--format=%s')).toBe('second')
    expect(git(folderThere, 'status', '--porcelain')).toBe('?? b.txt')
    expect(read(join(folderThere, 'a.txt'))).toBe('two\n')
  })

  test('into one that has every commit, without a bundle', async () => {
    const stage = moveStage()
    const { folder, folderThere, git } = stage
    git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
    const { branch, pack } = await moved(stage)
    expect({ branch, bundle: pack.bundle }).toEqual({ branch: 'zotui-moved-main', bundle: null })
  })

  test('from a folder in the repository, and without a branch', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write } = stage
    write(join(folder, 'deep', 'b.txt'), 'b\n')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'second')
    git(folder, 'checkout', '-q', '--detach')
    const prepared = await prepareAway(stage, { folder: join(folder, 'deep'), folderThere })
    const unpacked = await carryAway(stage, prepared, how(stage))
    expect(unpacked).toMatchObject({ branch: null, folder: join(folderThere, 'deep') })
    expect(git(folderThere, 'rev-parse', 'HEAD')).toBe(git(folder, 'rev-parse', 'HEAD'))
  })
})

describe('nothing goes, and nothing is overwritten', () => {
  test.each([
    ['has other files', 'notes.txt', /has files, and is not the top of a git repository/],
    ['is a file', '', /is no folder/],
  ])('if the folder there %s', async (_what, name, reason) => {
    const stage = moveStage()
    const { write, folderThere } = stage
    write(join(folderThere, name), 'mine\n')
    const before = snapshot([folderThere])
    await expect(away(stage)).rejects.toThrow(reason)
    expect(snapshot([folderThere])).toBe(before)
  })

  test('if the checkout there has uncommitted files, or is of another repository', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write } = stage
    git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
    write(join(folderThere, 'mine.txt'), 'mine\n')
    await expect(away(stage)).rejects.toThrow('has 1 uncommitted files')
    rmSync(join(folderThere, '.git'), { recursive: true })
    git(folderThere, 'init', '-q', '--template=')
    git(folderThere, 'add', '-A')
    git(folderThere, 'commit', '-q', '-m', 'other')
    await expect(away(stage)).rejects.toThrow('is another repository')
  })

  test('if an ignored file there is in the way', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write, read } = stage
    git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
    write(join(folderThere, '.git', 'info', 'exclude'), 'b.txt\n')
    write(join(folderThere, 'b.txt'), 'secret\n')
    write(join(folder, 'b.txt'), 'other\n')
    const prepared = await away(stage)
    await expect(carryAway(stage, prepared, how(stage))).rejects.toThrow(
      /untracked working tree files would be overwritten/,
    )
    expect(await prepared.undoing.undo()).toEqual([])
    expect(read(join(folderThere, 'b.txt'))).toBe('secret\n')
    expect(git(folderThere, 'branch', '--format=%(refname:short)')).toBe('main')
  })

  test.each([
    ['without a repository', (stage: MoveStage) => stage.git(stage.folder, 'config', 'core.bare', 'true'), /git/],
    [
      'in the middle of a merge',
      (stage: MoveStage) =>
        stage.write(join(stage.folder, '.git', 'MERGE_HEAD'), stage.git(stage.folder, 'rev-parse', 'HEAD')),
      /a merge is in progress/,
    ],
    [
      'with a repository in it',
      (stage: MoveStage) => stage.git(stage.folder, 'clone', '-q', '.', 'inner'),
      /inner is a repository of its own/,
    ],
  ])('from a folder %s', async (_what, spoil, reason) => {
    const stage = moveStage()
    spoil(stage)
    await expect(away(stage)).rejects.toThrow(reason)
    expect(existsSync(stage.folderThere)).toBe(false)
    expect(leftOvers(stage)).toEqual([])
  })

  test('programs that the settings of either repository name do not run', async () => {
    const stage = moveStage()
    const { folder, folderThere, git, write } = stage
    git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
    const mark = join(stage.homeThere, 'ran')
    for (const at of [folder, folderThere]) {
      git(at, 'config', 'filter.evil.clean', `touch ${mark}; cat`)
      git(at, 'config', 'filter.evil.smudge', `touch ${mark}; cat`)
      git(at, 'config', 'core.fsmonitor', `touch ${mark}`)
      write(join(at, '.git', 'hooks', 'post-checkout'), `#!/bin/sh\ntouch ${mark}\n`)
      chmodSync(join(at, '.git', 'hooks', 'post-checkout'), 0o755)
      write(join(at, '.git', 'info', 'attributes'), '* filter=evil\n')
    }
    write(join(folder, 'b.txt'), 'new\n')
    const { look } = await moved(stage)
    expect(look.filtered).toBe(1)
    expect(existsSync(mark)).toBe(false)
  })
})

/** The mark of a move that is not over lies where the commands of an agent may write. One that they plant or change brings them nothing. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { endedName, moveStage, type MoveStage } from './stage.ts'

const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

const markOf = ({ folderThere }: MoveStage): string => join(folderThere, '.git', 'zotui-move')

/** A clean checkout there, and a folder here that has more. */
function withCheckout(): MoveStage {
  const stage = moveStage()
  const { folder, folderThere, git, write } = stage
  git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
  write(join(folder, 'a.txt'), 'two\n')
  return stage
}

/** Moves as a person who says yes to all. Resolves to why it did not come to its end. */
async function moveTo(stage: MoveStage): Promise<string | null> {
  try {
    const prepared = await prepareAway(stage, stage)
    try {
      const { unmark } = await carryAway(stage, prepared, how(stage))
      await unmark()
      return null
    } catch (error) {
      await prepared.undoing.undo()
      throw error
    } finally {
      await prepared.end()
    }
  } catch (error) {
    return String(error)
  }
}

describe('a mark that was planted in a checkout', () => {
  test.each(['nothing', 'an empty file'])('as a link to %s is replaced: nothing is written through it', async what => {
    const stage = withCheckout()
    const target = join(stage.homeThere, '.profile')
    if (what === 'an empty file') writeFileSync(target, '')
    symlinkSync(target, markOf(stage))
    expect(await moveTo(stage)).toBe(null)
    expect(existsSync(target) ? stage.read(target) : '').toBe('')
  })

  test('as a link to a folder has nothing written into that', async () => {
    const stage = withCheckout()
    const target = join(stage.homeThere, 'other')
    mkdirSync(target)
    symlinkSync(target, markOf(stage))
    const before = snapshot([target])
    expect(await moveTo(stage)).toBe(null)
    expect(snapshot([target])).toBe(before)
  })

  test.each([
    ['of a folder that a move has made', (): string => `half ${endedName()}`],
    ['of a name that no move writes', (): string => 'half left-ab'],
  ])('as that %s removes nothing', async (_what, mark) => {
    const stage = withCheckout()
    const { folderThere, git, write, read } = stage
    write(join(folderThere, 'work.txt'), 'uncommitted\n')
    git(folderThere, 'branch', 'kept')
    writeFileSync(markOf(stage), mark())
    const before = snapshot([folderThere])
    expect(await moveTo(stage)).toContain(folderThere)
    expect(snapshot([folderThere])).toBe(before)
    expect(read(join(folderThere, 'work.txt'))).toBe('uncommitted\n')
  })

  test('in a repository of `git init` that a person works in removes nothing', async () => {
    const stage = moveStage()
    const { folderThere, git, write } = stage
    mkdirSync(folderThere, { recursive: true })
    git(folderThere, 'init', '-q', '-b', 'main')
    write(join(folderThere, 'work.txt'), 'mine\n')
    git(folderThere, 'add', '-A')
    git(folderThere, 'commit', '-q', '-m', 'mine')
    writeFileSync(markOf(stage), `half ${endedName()}`)
    const before = snapshot([folderThere])
    expect(await moveTo(stage)).toContain(folderThere)
    expect(snapshot([folderThere])).toBe(before)
  })

  test('as that of a branch of the person deletes no branch', async () => {
    const stage = withCheckout()
    const { folderThere, git } = stage
    const former = git(folderThere, 'rev-parse', 'HEAD')
    const commit = git(folderThere, 'commit-tree', '-p', 'HEAD', '-m', 'work', 'HEAD^{tree}')
    git(folderThere, 'branch', 'feature', commit)
    const planted = { before: 'main', former, branch: 'feature', commit, head: commit }
    writeFileSync(markOf(stage), `half ${endedName()} ${JSON.stringify(planted)}`)
    await moveTo(stage)
    expect(git(folderThere, 'rev-parse', 'feature')).toBe(commit)
  })

  test('names a command for the person only with what git calls a branch, in quotes', async () => {
    const stage = withCheckout()
    const { folderThere, git } = stage
    const former = git(folderThere, 'rev-parse', 'HEAD')
    git(folderThere, 'checkout', '-q', '-b', 'zotui-moved-main')
    const planted = { before: 'main;id>x', former, branch: 'zotui-moved-main', commit: former, head: former }
    writeFileSync(markOf(stage), `whole ${endedName()} ${JSON.stringify(planted)}`)
    const hint = await prepareAway(stage, stage).then(
      () => '',
      (error: unknown) => JSON.stringify(error),
    )
    expect(hint).toContain("git checkout 'main;id>x'")
  })
})

describe('a checkout there', () => {
  test('with a tag of the same name as its branch is undone to the branch', async () => {
    const stage = withCheckout()
    const { folderThere, git } = stage
    git(folderThere, 'tag', 'main')
    const prepared = await prepareAway(stage, stage)
    await carryAway(stage, prepared, how(stage))
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(git(folderThere, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  })

  test('whose HEAD names a branch like a flag of git is of no use', async () => {
    const stage = withCheckout()
    const { folderThere, git, write, read } = stage
    git(folderThere, 'update-ref', 'refs/heads/-f', 'HEAD')
    git(folderThere, 'symbolic-ref', 'HEAD', 'refs/heads/-f')
    expect(await moveTo(stage)).toContain('-f')
    write(join(folderThere, 'a.txt'), 'mine\n')
    expect(read(join(folderThere, 'a.txt'))).toBe('mine\n')
  })
})

/** Takes worktrees into the folder of the user, in real repositories: by merge, rebase and pick, with conflicts and overlaps. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TakingWay } from '../../src/worktrees/preview.ts'
import type { Worktree } from '../../src/worktrees/record.ts'
import { worktreeAt } from '../../src/worktrees/record.ts'
import { refusal, stageWithWorktree, value, worktreeStage, type WorktreeStage } from './stage.ts'

const ways = ['merge', 'rebase', 'pick'] as const

async function take({ worktrees }: WorktreeStage, worktree: Worktree, way: TakingWay) {
  return value(worktrees.take(worktree, await value(worktrees.preview(worktree, way))))
}

const names = (files: readonly { path: string; kind: string }[]): string[] =>
  files.map(({ path, kind }) => `${kind} ${path}`)

const filesOf = (paths: readonly string[], text: string): Record<string, string> =>
  Object.fromEntries(paths.map(path => [path, text]))

/** Work of the user's in the place of what is taken, by the path that is named. */
const inTheWay: Record<string, (stage: WorktreeStage) => void> = {
  'changed.txt': stage => stage.put({ 'changed.txt': 'mine\n' }),
  'deep/file-above.txt': stage => stage.put({ deep: 'mine\n' }),
  'folder-there.txt': stage => stage.put({ 'folder-there.txt/x': 'mine\n' }),
  'ignored.txt': stage => stage.put({ 'ignored.txt': 'mine\n' }),
  'removed.txt': stage => rmSync(join(stage.folder, 'removed.txt')),
  'staged.txt'(stage) {
    stage.put({ 'staged.txt': 'mine\n' })
    stage.git('add', 'staged.txt')
  },
  // A change that git was told not to see.
  'unseen.txt'(stage) {
    stage.git('update-index', '--skip-worktree', 'unseen.txt')
    stage.put({ 'unseen.txt': 'mine\n' })
  },
  'untracked.txt': stage => stage.put({ 'untracked.txt': 'mine\n' }),
}

/** Harm that people and agents do to a worktree. */
const harms: [string, (stage: WorktreeStage, worktree: Worktree) => void][] = [
  ['its folder was deleted by hand', (_stage, { folder }) => rmSync(folder, { recursive: true })],
  [
    'its branch was deleted',
    ({ gitIn, git }, { folder, branch }) => {
      gitIn(folder)('checkout', '-q', '--detach')
      git('branch', '-D', branch)
    },
  ],
  ['it is locked', ({ git }, { folder }) => void git('worktree', 'lock', folder)],
  ['its .git leads elsewhere', (_stage, { folder }) => writeFileSync(join(folder, '.git'), 'gitdir: /nowhere\n')],
  [
    'git has forgotten it',
    ({ git }, { folder }) => {
      rmSync(join(folder, '.git'))
      git('worktree', 'prune')
    },
  ],
]

describe.each(ways)('%s', way => {
  test('shows first what it does, and does it if nothing has changed since; the worktree goes on from there, unless it was picked', async () => {
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'gone.txt': 'x\n' }
    const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n' }, files)
    const { git, gitIn, commit, put, read, has, worktrees } = stage
    const own = () => [
      gitIn(worktree.folder)('status', '--porcelain', '--branch'),
      gitIn(worktree.folder)('rev-parse', 'HEAD'),
    ]
    commit({}, worktree.folder, 'from the agent')
    put({ 'new.txt': 'new\n' }, worktree.folder)
    rmSync(join(worktree.folder, 'gone.txt'))
    commit({ 'c.txt': 'c\n' }, stage.folder, 'mine')
    put({ 'b.txt': 'mine\n', 'untracked.txt': 'u\n' })
    const [before, ownBefore] = [git('rev-parse', 'HEAD'), own()]
    const preview = await value(worktrees.preview(worktree, way))
    expect(preview).toMatchObject({ into: 'main', onto: before, conflicts: [], overlap: [], isClean: false })
    expect(names(preview.files)).toEqual(['changed a.txt', 'deleted gone.txt', 'new new.txt'])
    put({ 'a.txt': 'more\n' }, worktree.folder)
    expect(await refusal(worktrees.take(worktree, preview))).toBe('something has changed since the preview')
    put({ 'a.txt': 'agent\n' }, worktree.folder)
    expect([git('rev-parse', 'HEAD'), read('a.txt')]).toEqual([before, 'one\n'])
    const taken = await value(worktrees.take(worktree, preview))
    expect([read('a.txt'), read('new.txt'), has('gone.txt'), read('c.txt')]).toEqual(['agent\n', 'new\n', false, 'c\n'])
    expect([read('b.txt'), read('untracked.txt')]).toEqual(['mine\n', 'u\n'])
    const head = git('rev-parse', 'HEAD')
    expect(taken).toMatchObject({ before, behind: null, commit: way === 'pick' ? null : head })
    const subjects = git('log', '--format=%s', '--first-parent').split('\n')
    const expected = {
      merge: ["Merge branch 'zotui/fix-it-1'", 'mine', 'first'],
      rebase: ['Fix it', 'from the agent', 'mine', 'first'],
      pick: ['mine', 'first'],
    }
    expect(subjects).toEqual(expected[way])
    expect(git('status', '--porcelain').split('\n').includes('?? untracked.txt')).toBe(true)
    expect(own()).toEqual(way === 'pick' ? ownBefore : ['## zotui/fix-it-1', head])
    if (way === 'pick') return
    const now = worktreeAt(stage.stateFolder, worktree.folder) ?? worktree
    expect([now.base, read('c.txt', worktree.folder)]).toEqual([head, 'c\n'])
    put({ 'a.txt': 'again\n' }, worktree.folder)
    expect((await worktrees.changes(now)).list.session.map(({ path }) => path)).toEqual(['a.txt'])
    await take(stage, now, way)
    expect(read('a.txt')).toBe('again\n')
  })

  test('names the files with conflicts, and changes nothing then', async () => {
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }
    const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n', 'b.txt': 'agent\n' }, files)
    stage.commit({ 'a.txt': 'mine\n' })
    const before = stage.git('rev-parse', 'HEAD')
    const preview = await value(stage.worktrees.preview(worktree, way))
    expect(preview.conflicts).toEqual(['a.txt'])
    expect(await refusal(stage.worktrees.take(worktree, preview))).toBe('there are conflicts')
    expect([stage.git('rev-parse', 'HEAD'), stage.read('b.txt'), stage.git('status', '--porcelain')]).toEqual([
      before,
      'two\n',
      '',
    ])
  })

  test('refuses where the user has work of any kind in the place, and names each file, also a single one', async () => {
    const tracked = ['changed.txt', 'removed.txt', 'staged.txt', 'unseen.txt', 'free.txt']
    const { stage, worktree } = await stageWithWorktree(filesOf([...Object.keys(inTheWay), 'free.txt'], 'agent\n'), {
      ...filesOf(tracked, 'one\n'),
      '.gitignore': 'ignored.txt\n',
    })
    stage.gitIn(worktree.folder)('add', '--force', 'ignored.txt')
    stage.gitIn(worktree.folder)('commit', '-qm', 'ignored')
    for (const change of Object.values(inTheWay)) change(stage)
    const before = stage.git('status', '--porcelain', '--ignored')
    const preview = await value(stage.worktrees.preview(worktree, way))
    expect(preview.overlap).toEqual(Object.keys(inTheWay))
    expect(await refusal(stage.worktrees.take(worktree, preview))).toContain(Object.keys(inTheWay).join(', '))
    expect(stage.git('status', '--porcelain', '--ignored')).toBe(before)
    stage.git('update-index', '--no-skip-worktree', 'unseen.txt')
    stage.git('reset', '-q', '--hard')
    stage.git('clean', '-qfdx')
    stage.put({ 'untracked.txt': 'mine\n' })
    expect(await refusal(stage.worktrees.take(worktree, preview))).toContain('uncommitted changes in untracked.txt')
    expect([stage.read('free.txt'), stage.read('untracked.txt')]).toEqual(['one\n', 'mine\n'])
  })

  test('works on a detached head, around what is staged, and for odd names, modes and links', async () => {
    const odd = {
      ' a b': 'x\n',
      '-n': 'x\n',
      '*': 'x\n',
      'new\nline': 'x\n',
      '"q"': 'x\n',
      ünï: 'x\n',
      ':(top)x': 'x\n',
      'run.sh': '#!/bin/sh\n',
    }
    const { stage, worktree } = await stageWithWorktree(
      { ...odd, 'a.txt': 'agent\n' },
      { 'a.txt': 'one\n', 'b.txt': 'two\n' },
    )
    chmodSync(join(worktree.folder, 'run.sh'), 0o755)
    symlinkSync('a.txt', join(worktree.folder, 'link'))
    stage.git('checkout', '-q', '--detach')
    stage.put({ 'b.txt': 'staged\n', 'new.txt': 'staged\n' })
    stage.git('add', '.')
    stage.put({ 'b.txt': 'later\n' })
    const preview = await value(stage.worktrees.preview(worktree, way))
    expect(preview.into).toBeNull()
    const paths = ['a.txt', 'link', ...Object.keys(odd)]
    expect(preview.files.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
    await value(stage.worktrees.take(worktree, preview))
    for (const name of paths) expect(stage.has(name)).toBe(true)
    expect(stage.git('status', '--porcelain').split('\n')).toEqual(expect.arrayContaining(['MM b.txt', 'A  new.txt']))
    expect([stage.git('show', ':b.txt'), stage.read('b.txt'), stage.read('a.txt')]).toEqual([
      'staged',
      'later\n',
      'agent\n',
    ])
    const listed = stage.git('ls-files', '-s', 'a.txt', 'link', 'run.sh').split('\n')
    expect(listed.map(row => row.slice(0, 6))).toEqual(['100644', '120000', '100755'])
  })

  test('says what is in the way: an unfinished merge, nothing to take, a folder that is gone', async () => {
    const { stage, worktree } = await stageWithWorktree()
    const why = (): Promise<string> => refusal(stage.worktrees.preview(worktree, way))
    expect(await why()).toBe('your branch already has all of it')
    stage.put({ 'a.txt': 'agent\n' }, worktree.folder)
    writeFileSync(join(stage.folder, '.git', 'MERGE_HEAD'), `${worktree.base}\n`)
    expect(await why()).toContain('a merge is in progress')
    rmSync(join(stage.folder, '.git', 'MERGE_HEAD'))
    rmSync(worktree.folder, { recursive: true })
    expect(await why()).toContain('is gone')
    rmSync(stage.folder, { recursive: true })
    expect(await why()).toContain(`the folder ${stage.folder} is gone`)
  })

  test('runs no program that only the settings of the repository name', async () => {
    const stage = worktreeStage({
      'a.txt': 'one\n2\n3\n4\n5\n',
      '.gitattributes': 'a.txt filter=theirs merge=theirs\n',
    })
    const { command, isSprung } = stage.trap()
    const hooks = 'pre-commit commit-msg post-commit post-merge pre-rebase post-checkout reference-transaction'
    mkdirSync(join(stage.folder, '.git', 'hooks'))
    for (const hook of hooks.split(' ')) symlinkSync(command, join(stage.folder, '.git', 'hooks', hook))
    appendFileSync(
      join(stage.folder, '.git', 'config'),
      `[filter "theirs"]\n clean = ${command}\n smudge = ${command}\n[merge "theirs"]\n driver = ${command}\n` +
        `[core]\n fsmonitor = ${command}\n editor = ${command}\n[gpg]\n program = ${command}\n[commit]\n gpgSign = true\n`,
    )
    const worktree = await stage.begun({ 'a.txt': 'agent\n2\n3\n4\n5\n' })
    stage.put({ 'a.txt': 'one\n2\n3\n4\nmine\n' })
    stage.gitIn(stage.folder)(
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'filter.theirs.clean=',
      '-c',
      'commit.gpgSign=false',
      'commit',
      '-qam',
      'mine',
    )
    await take(stage, worktree, way)
    expect([stage.read('a.txt'), isSprung()]).toEqual(['agent\n2\n3\n4\nmine\n', false])
  })
})

describe('the worktree', () => {
  test('has a change that keeps the size and the second of the file', async () => {
    const { stage, worktree } = await stageWithWorktree()
    const git = stage.gitIn(worktree.folder)
    // As where both happen in one second.
    git('config', 'core.trustCtime', 'false')
    const [file, then] = [join(worktree.folder, 'a.txt'), new Date('2026-01-01')]
    utimesSync(file, then, then)
    git('add', '--refresh', 'a.txt')
    git('update-index', '--really-refresh')
    writeFileSync(file, 'two\n')
    utimesSync(file, then, then)
    utimesSync(git('rev-parse', '--path-format=absolute', '--git-path', 'index'), then, then)
    await take(stage, worktree, 'merge')
    expect(stage.read('a.txt')).toBe('two\n')
  })

  test('stays where it is if the agent has checked out another branch, and is merged all the same', async () => {
    const { stage, worktree } = await stageWithWorktree()
    stage.gitIn(worktree.folder)('checkout', '-qb', 'other')
    stage.put({ 'a.txt': 'agent\n' }, worktree.folder)
    const taken = await take(stage, worktree, 'merge')
    expect(taken.behind).toContain('has changed meanwhile')
    expect(stage.read('a.txt')).toBe('agent\n')
  })

  test('is not taken with an unfinished merge, or with a repository of its own in it', async () => {
    const { stage, worktree } = await stageWithWorktree()
    const nested = join(worktree.folder, 'nested')
    mkdirSync(nested)
    stage.gitIn(nested)('init', '-q')
    stage.commit({ 'x.txt': 'x\n' }, nested)
    expect(await refusal(stage.worktrees.preview(worktree, 'merge'))).toContain(
      'nested in the worktree is a separate repository',
    )
    rmSync(nested, { recursive: true })
    stage.commit({ 'a.txt': 'agent\n' }, worktree.folder)
    stage.commit({ 'a.txt': 'mine\n' })
    expect(() => stage.gitIn(worktree.folder)('merge', 'main')).toThrow('merge')
    expect(await refusal(stage.worktrees.preview(worktree, 'merge'))).toContain(
      'a merge is in progress in the worktree',
    )
  })

  test('with merges among its commits is merged and picked, not rebased', async () => {
    const { stage, worktree } = await stageWithWorktree()
    stage.commit({ 'a.txt': 'agent\n' }, worktree.folder)
    stage.commit({ 'b.txt': 'mine\n' })
    stage.gitIn(worktree.folder)('merge', '-q', '--no-edit', 'main')
    stage.commit({ 'c.txt': 'mine\n' })
    expect(await refusal(stage.worktrees.preview(worktree, 'rebase'))).toContain('include merges')
    await take(stage, worktree, 'merge')
    expect(stage.read('a.txt')).toBe('agent\n')
  })

  test('keeps author, date and message of each commit that is rebased, whatever its encoding', async () => {
    const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n' })
    const git = stage.gitIn(worktree.folder)
    git('add', '.')
    git(
      '-c',
      'i18n.commitEncoding=ISO-8859-1',
      'commit',
      '-q',
      '--author',
      'Zoë <z@e>',
      '--date',
      '2020-01-02T03:04:05+0200',
      '-m',
      'tést',
    )
    stage.commit({ 'b.txt': 'mine\n' })
    const format = '--format=%an|%ae|%aI|%s'
    const before = git('log', '-1', format)
    await take(stage, worktree, 'rebase')
    expect(stage.git('log', '-1', format)).toBe(before)
  })
})

test('a merge with conflicts is begun if the user wants it, and git undoes it, but not over uncommitted changes', async () => {
  const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n' }, { 'a.txt': 'one\n', 'b.txt': 'two\n' })
  stage.commit({ 'a.txt': 'mine\n' })
  stage.put({ 'b.txt': 'mine\n' })
  const preview = await value(stage.worktrees.preview(worktree, 'merge'))
  expect(await refusal(stage.worktrees.beginMerge(worktree, preview))).toContain('uncommitted changes')
  expect(existsSync(join(stage.folder, '.git', 'MERGE_HEAD'))).toBe(false)
  stage.put({ 'b.txt': 'two\n' })
  await value(stage.worktrees.beginMerge(worktree, preview))
  expect(stage.read('a.txt')).toMatch(/<<<<<<<[^]*mine[^]*agent/)
  stage.git('merge', '--abort')
  expect([stage.read('a.txt'), stage.git('status', '--porcelain')]).toEqual(['mine\n', ''])
})

describe('throwing away', () => {
  test('removes folder, branch and record, and says before what is lost: nothing that is on another branch', async () => {
    const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n' })
    stage.commit({}, worktree.folder)
    stage.git('branch', 'kept', worktree.branch)
    expect(await stage.worktrees.loss(worktree)).toEqual({ commits: 0, files: 0, ignored: 0 })
    stage.git('branch', '-D', 'kept')
    stage.put({ 'b.txt': 'b\n', 'c.txt': 'c\n' }, worktree.folder)
    expect(await stage.worktrees.loss(worktree)).toEqual({ commits: 1, files: 2, ignored: 0 })
    expect(await value(stage.worktrees.discard(worktree))).toBeNull()
    expect([existsSync(worktree.folder), worktreeAt(stage.stateFolder, worktree.folder)]).toEqual([false, null])
    expect(stage.git('branch', '--list')).toBe('* main')
    expect(stage.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(stage.git('status', '--porcelain')).toBe('')
  })

  test.each(harms)('works where %s', async (_name, harm) => {
    const { stage, worktree } = await stageWithWorktree({ 'a.txt': 'agent\n' })
    harm(stage, worktree)
    await stage.worktrees.loss(worktree)
    expect(await value(stage.worktrees.discard(worktree))).toBeNull()
    expect(existsSync(worktree.folder)).toBe(false)
    expect(stage.git('branch', '--list')).toBe('* main')
    expect(stage.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('works where the project is gone, and leaves a branch that is checked out elsewhere', async () => {
    const stage = worktreeStage()
    const [first, second] = [await stage.begun(), await stage.begun()]
    stage.gitIn(first.folder)('checkout', '-q', '--detach')
    stage.git('checkout', '-q', first.branch)
    expect(await value(stage.worktrees.discard(first))).toContain(first.branch)
    rmSync(stage.folder, { recursive: true })
    expect(await stage.worktrees.loss(second)).toMatchObject({ commits: null })
    expect(await value(stage.worktrees.discard(second))).toBeNull()
    expect(existsSync(second.folder)).toBe(false)
  })
})

test('a submodule that wants to be looked at runs nothing when a worktree is taken', async () => {
  const stage = worktreeStage()
  const library = join(stage.top, 'library')
  mkdirSync(library)
  stage.gitIn(library)('init', '-q', '-b', 'main', '--template=')
  stage.commit({ 'lib.txt': 'lib\n' }, library)
  stage.git('submodule', '--quiet', 'add', library, 'sub')
  stage.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none')
  stage.commit({})
  const worktree = await stage.begun({ 'a.txt': 'agent\n' })
  const trap = stage.trap()
  const sub = join(stage.folder, 'sub')
  stage.gitIn(sub)('config', 'filter.x.clean', trap.command)
  stage.gitIn(sub)('config', 'core.fsmonitor', trap.command)
  // Git must read a file whose size is the same.
  stage.put({ '.gitattributes': '* filter=x\n', 'lib.txt': 'LIB\n' }, sub)
  await take(stage, worktree, 'merge')
  expect([trap.isSprung(), stage.read('a.txt')]).toEqual([false, 'agent\n'])
})

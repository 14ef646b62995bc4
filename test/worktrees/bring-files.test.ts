/** Files that git ignores go along into a new worktree: only those, only files, and by no link. */
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Worktree } from '../../src/worktrees/record.ts'
import { bringFiles } from '../../src/worktrees/setup/bring-files.ts'
import { refusal, value, worktreeStage } from './stage.ts'

const IGNORES = { '.gitignore': '.env\n.env.*\nlocal/\nnode_modules/\n*.key\n', 'a.txt': 'one\n' }

/** A repository that ignores some files, with these uncommitted ones, and a new worktree of it. */
async function begun(files: Record<string, string>, committed: Record<string, string> = IGNORES) {
  const stage = worktreeStage(committed)
  stage.put(files)
  return { stage, worktree: await stage.begun() }
}

const bring = (stage: ReturnType<typeof worktreeStage>, worktree: Worktree, ...patterns: string[]) =>
  value(stage.worktrees.bring(worktree, patterns))

describe('what goes along', () => {
  test('are the ignored files that a pattern names, with their folders', async () => {
    const { stage, worktree } = await begun({
      '.env': 'KEY=1\n',
      'deep/er/.env': 'KEY=2\n',
      'local/a/b.json': '{}\n',
      'other.key': 'secret\n',
    })
    expect(await bring(stage, worktree, '.env', '**/.env', 'local')).toEqual({ count: 3, left: [] })
    expect(stage.read('.env', worktree.folder)).toBe('KEY=1\n')
    expect(stage.read('deep/er/.env', worktree.folder)).toBe('KEY=2\n')
    expect(stage.read('local/a/b.json', worktree.folder)).toBe('{}\n')
    expect(stage.has('other.key', worktree.folder)).toBe(false)
    // The agent's work does not have them.
    expect(stage.gitIn(worktree.folder)('status', '--porcelain')).toBe('')
  })

  test('are no files that git has or that are only untracked', async () => {
    const { stage, worktree } = await begun({ 'a.txt': 'mine\n', 'new.txt': 'new\n', '.env': 'x\n' })
    expect(await bring(stage, worktree, '**')).toEqual({ count: 1, left: [] })
    expect([stage.read('a.txt', worktree.folder), stage.has('new.txt', worktree.folder)]).toEqual(['one\n', false])
  })

  test('keep their permissions and their time, but do not run as their owner', async () => {
    const { stage, worktree } = await begun({ 'local/run': '#!/bin/sh\n', '.env': 'x\n' })
    chmodSync(join(stage.folder, 'local/run'), 0o6755)
    chmodSync(join(stage.folder, '.env'), 0o600)
    utimesSync(join(stage.folder, '.env'), 1_000_000, 1_000_000)
    await bring(stage, worktree, 'local/run', '.env')
    expect(statSync(join(worktree.folder, 'local/run')).mode & 0o7777).toBe(0o755)
    const { mode, mtimeMs } = statSync(join(worktree.folder, '.env'))
    expect([mode & 0o7777, mtimeMs]).toEqual([0o600, 1_000_000_000])
  })

  test('are copies: what the agent writes there does not reach the original', async () => {
    const { stage, worktree } = await begun({ '.env': 'mine\n' })
    linkSync(join(stage.folder, '.env'), join(stage.folder, '.env.twin'))
    await bring(stage, worktree, '.env*')
    stage.put({ '.env': 'theirs\n', '.env.twin': 'theirs\n' }, worktree.folder)
    expect([stage.read('.env'), stage.read('.env.twin')]).toEqual(['mine\n', 'mine\n'])
  })

  test.each(['with space', 'quote"s\'', '*', '$(touch x)', 'new\nline', '[a]', ':(top)x', 'ünïcode'])(
    'may be named %j',
    async name => {
      const { stage, worktree } = await begun({ [`local/${name}`]: 'odd\n' })
      await bring(stage, worktree, 'local')
      expect(stage.read(`local/${name}`, worktree.folder)).toBe('odd\n')
    },
  )
})

describe('what does not go along', () => {
  test('is a link, or what is behind one, here and there', async () => {
    const { stage, worktree } = await begun({ 'local/real': 'x\n' })
    stage.put({ 'secret.txt': 'outside\n' }, stage.top)
    symlinkSync(join(stage.top, 'secret.txt'), join(stage.folder, '.env'))
    symlinkSync(stage.top, join(stage.folder, 'local/out'))
    expect(await bring(stage, worktree, '.env', 'local')).toEqual({
      count: 1,
      left: [
        { path: '.env', why: 'is a link' },
        { path: 'local/out', why: 'is a link' },
      ],
    })
    expect(lstatSync(join(worktree.folder, '.env'), { throwIfNoEntry: false })).toBeUndefined()
    expect(stage.has('local/out', worktree.folder)).toBe(false)
  })

  test('would go through a link of the branch to another place', async () => {
    const { stage, worktree } = await begun({ 'local/.env': 'KEY=1\n', '.env': 'KEY=2\n' })
    const target = join(stage.top, 'target')
    mkdirSync(target)
    symlinkSync(target, join(worktree.folder, 'local'))
    symlinkSync(join(target, 'made'), join(worktree.folder, '.env'))
    const { count, left } = await bring(stage, worktree, 'local/.env', '.env')
    expect([count, left.map(({ why }) => why)]).toEqual([
      0,
      ['leads through a link of the branch', 'leads through a link of the branch'],
    ])
    expect([existsSync(join(target, '.env')), existsSync(join(target, 'made'))]).toEqual([false, false])
  })

  test('is ignored only by what is uncommitted: the agent would commit it', async () => {
    const { stage, worktree } = await begun({ '.gitignore': 'secret.txt\n', 'secret.txt': 'x\n', '.env': 'x\n' })
    expect(await bring(stage, worktree, 'secret.txt')).toEqual({
      count: 0,
      left: [{ path: 'secret.txt', why: 'is not ignored by the commit that the worktree begins at' }],
    })
    expect(stage.has('secret.txt', worktree.folder)).toBe(false)
  })

  test('is in the branch already, and stays as it is there', async () => {
    const { stage, worktree } = await begun({ '.env': 'mine\n' })
    stage.put({ '.env': 'there\n' }, worktree.folder)
    const { count, left } = await bring(stage, worktree, '.env')
    expect([count, left]).toEqual([0, [{ path: '.env', why: 'is in the branch already' }]])
    expect(stage.read('.env', worktree.folder)).toBe('there\n')
  })

  test('is in a repository of its own', async () => {
    const { stage, worktree } = await begun({ 'local/x': 'x\n' })
    mkdirSync(join(stage.folder, 'node_modules/own'), { recursive: true })
    stage.gitIn(join(stage.folder, 'node_modules/own'))('init', '-q')
    stage.put({ 'node_modules/own/.env': 'x\n' })
    const { count } = await bring(stage, worktree, 'local', 'node_modules')
    expect(stage.has('node_modules', worktree.folder)).toBe(false)
    expect(count).toBe(1)
  })

  test.each(['../outside', '/../x', 'a/../../b', '', '/', 'a\0b'])('is named by the pattern %j', async pattern => {
    const { stage, worktree } = await begun({ '.env': 'x\n' })
    expect(await refusal(stage.worktrees.bring(worktree, ['.env', pattern]))).toMatch(/no path in the repository/)
    expect(stage.has('.env', worktree.folder)).toBe(false)
  })

  test('are too many files, or too large ones: then none is copied', async () => {
    const { stage, worktree } = await begun({ 'local/a': 'aa\n', 'local/b': 'bb\n', '.env': 'x\n' })
    const env = stage.env
    await expect(bringFiles(worktree, ['local'], { env, limits: { files: 1, bytes: 100 } })).rejects.toThrow(
      'worktreeFiles names 2 files, and at most 1 are copied',
    )
    await expect(bringFiles(worktree, ['local'], { env, limits: { files: 9, bytes: 5 } })).rejects.toThrow(/2 files/)
    expect(stage.has('local', worktree.folder)).toBe(false)
  })

  test('follows once the user has stopped it', async () => {
    const { stage, worktree } = await begun({ '.env': 'x\n' })
    const signal = AbortSignal.abort()
    await expect(bringFiles(worktree, ['.env'], { env: stage.env, signal })).rejects.toThrow(/abort/)
    expect(stage.has('.env', worktree.folder)).toBe(false)
  })
})

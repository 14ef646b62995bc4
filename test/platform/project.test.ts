import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderLabel, gitBranch, isFirstStart } from '../../src/platform/project.ts'

let base = ''

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'zotui-project-'))
})

afterEach(() => {
  chmodSync(base, 0o700)
  rmSync(base, { recursive: true, force: true })
})

/** Writes a file below the test's own folder, and gives its path. */
function write(path: string, text: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

test.each([
  ['/home/ada', '/home/ada', '~'],
  ['/home/ada/src/zotui', '/home/ada', '~/src/zotui'],
  ['/home/adam', '/home/ada', '/home/adam'],
  ['/srv', '/home/ada', '/srv'],
  ['/', '/home/ada', '/'],
  ['/srv', '/', '/srv'],
  ['/srv', '', '/srv'],
])('%s of who lives in %s is shown as %s', (folder, home, label) => {
  expect(folderLabel(folder, home)).toBe(label)
})

describe('the branch', () => {
  test.each([
    ['a branch', 'ref: refs/heads/main\n', 'main'],
    ['a branch with slashes', 'ref: refs/heads/feature/one/two\n', 'feature/one/two'],
    ['a detached head', '4f1c0de94f1c0de94f1c0de94f1c0de94f1c0de9\n', '4f1c0de'],
    ['a detached head in SHA-256', `${'4f1c0de9'.repeat(8)}\n`, '4f1c0de'],
    ['another ref', 'ref: refs/remotes/origin/main\n', null],
    ['nonsense', 'hello\n', null],
    ['nothing', '', null],
  ])('of %s', (_what, head, branch) => {
    write('.git/HEAD', head)
    expect(gitBranch(base)).toBe(branch)
  })

  test('is found from a folder within', () => {
    write('.git/HEAD', 'ref: refs/heads/main\n')
    const inner = dirname(write('a/b/c/file', ''))
    expect(gitBranch(inner)).toBe('main')
  })

  test('of a worktree, which has a file that says where its own folder is', () => {
    write('main/.git/worktrees/tree/HEAD', 'ref: refs/heads/other\n')
    write('tree/.git', `gitdir: ${join(base, 'main/.git/worktrees/tree')}\n`)
    expect(gitBranch(join(base, 'tree'))).toBe('other')
  })

  test('of a submodule, where that is told from here', () => {
    write('.git/HEAD', 'ref: refs/heads/outer\n')
    write('.git/modules/sub/HEAD', 'ref: refs/heads/inner\n')
    write('sub/.git', 'gitdir: ../.git/modules/sub\n')
    expect(gitBranch(join(base, 'sub'))).toBe('inner')
  })

  test('of a worktree whose repository has moved away is not known', () => {
    write('tree/.git', 'gitdir: /nowhere/at/all\n')
    expect(gitBranch(join(base, 'tree'))).toBeNull()
    write('tree/.git', 'hello\n')
    expect(gitBranch(join(base, 'tree'))).toBeNull()
  })

  test('of a folder that is no repository, or is not there, is none', () => {
    expect(gitBranch(base)).toBeNull()
    expect(gitBranch(join(base, 'missing'))).toBeNull()
  })

  test('is not what some other HEAD says, in that folder or where the program runs', () => {
    write('HEAD', 'ref: refs/heads/trap\n')
    const before = process.cwd()
    process.chdir(base)
    try {
      expect(gitBranch(base)).toBeNull()
    } finally {
      process.chdir(before)
    }
  })
})

describe('the first start', () => {
  test('in a folder is the first once', () => {
    const state = join(base, 'state')
    expect([isFirstStart('/a', state), isFirstStart('/a', state), isFirstStart('/a/', state)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('is told for each folder, also where their names are the same', () => {
    const state = join(base, 'state')
    expect([isFirstStart('/a/x', state), isFirstStart('/b/x', state)]).toEqual([true, true])
    expect([isFirstStart('/a/x', state), isFirstStart('/b/x', state)]).toEqual([false, false])
  })

  test('takes any name of a folder', () => {
    const state = join(base, 'state')
    for (const folder of [
      '/',
      `/${'long/'.repeat(200)}`,
      `/${'x'.repeat(250)}`,
      `/${'ü'.repeat(125)}`,
      '/a b\nc',
      '/-rf',
    ]) {
      expect([folder, isFirstStart(folder, state), isFirstStart(folder, state)]).toEqual([folder, true, false])
    }
  })

  test('keeps to itself what it notes', () => {
    isFirstStart('/secret/project', join(base, 'state'))
    expect(readdirSync(join(base, 'state/folders'))).toEqual([expect.stringMatching(/^project-[\da-f]{16}$/)])
  })

  test('is the first every time where nothing can be noted', () => {
    const file = write('state', 'a file where a folder should be')
    expect([isFirstStart('/a', file), isFirstStart('/a', file)]).toEqual([true, true])
  })
})

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
])('%s of the home %s is shown as %s', (folder, home, label) => {
  expect(folderLabel(folder, home)).toBe(label)
})

describe('the git branch', () => {
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

  test('of a worktree is found through its file', () => {
    write('main/.git/worktrees/tree/HEAD', 'ref: refs/heads/other\n')
    write('tree/.git', `gitdir: ${join(base, 'main/.git/worktrees/tree')}\n`)
    expect(gitBranch(join(base, 'tree'))).toBe('other')
  })

  test('of a submodule is found by a relative path', () => {
    write('.git/HEAD', 'ref: refs/heads/outer\n')
    write('.git/modules/sub/HEAD', 'ref: refs/heads/inner\n')
    write('sub/.git', 'gitdir: ../.git/modules/sub\n')
    expect(gitBranch(join(base, 'sub'))).toBe('inner')
  })

  test('of a worktree whose repository has moved is unknown', () => {
    write('tree/.git', 'gitdir: /nowhere/at/all\n')
    expect(gitBranch(join(base, 'tree'))).toBeNull()
    write('tree/.git', 'hello\n')
    expect(gitBranch(join(base, 'tree'))).toBeNull()
  })

  test('does not exist outside a repository or in a missing folder', () => {
    expect(gitBranch(base)).toBeNull()
    expect(gitBranch(join(base, 'missing'))).toBeNull()
  })

  test('is not read from another HEAD', () => {
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

describe('the first start in a folder', () => {
  test('is the first only once', () => {
    const state = join(base, 'state')
    expect([isFirstStart('/a', state), isFirstStart('/a', state), isFirstStart('/a/', state)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('is known for each folder, even with the same name', () => {
    const state = join(base, 'state')
    expect([isFirstStart('/a/x', state), isFirstStart('/b/x', state)]).toEqual([true, true])
    expect([isFirstStart('/a/x', state), isFirstStart('/b/x', state)]).toEqual([false, false])
  })

  test('works for any folder name', () => {
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

  test('is noted in a private file', () => {
    isFirstStart('/secret/project', join(base, 'state'))
    expect(readdirSync(join(base, 'state/folders'))).toEqual([expect.stringMatching(/^project-[\da-f]{16}$/)])
  })

  test('is the first each time if nothing can be saved', () => {
    const file = write('state', 'a file where a folder should be')
    expect([isFirstStart('/a', file), isFirstStart('/a', file)]).toEqual([true, true])
  })
})

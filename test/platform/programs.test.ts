/** The programs that zotui starts by itself: never those of the project that it works in. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  findProgram,
  helperEnvironment,
  isOfProject,
  isOneForMany,
  searchProgram,
  startedProgram,
} from '../../src/platform/programs.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-program-')))
afterAll(() => rmSync(root, { recursive: true }))

/** Puts programs into a folder below the root; returns the folder. */
function folderWith(path: string, ...names: readonly string[]): string {
  const folder = join(root, path)
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  return folder
}

const [first, second] = [folderWith('first'), folderWith('second', 'tool', 'plain', 'other')]
mkdirSync(join(first, 'tool'))
writeFileSync(join(first, 'plain'), '', { mode: 0o644 })

/** Makes a link below the root. */
const link = (path: string, target: string): string => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(target, join(root, path))
  return join(root, path)
}

/** Makes a script that begins with this line. */
const script = (name: string, line: string): string => {
  const path = join(root, name)
  writeFileSync(path, `${line}\necho x\n`, { mode: 0o755 })
  return path
}

describe.skipIf(process.platform === 'win32')('a program', () => {
  const PATH = `${first}:${second}`

  test('is the first in PATH that is a file and may be run', () => {
    expect(findProgram('tool', { PATH }, '/')).toBe(join(second, 'tool'))
    expect(findProgram('plain', { PATH }, '/')).toBe(join(second, 'plain'))
    expect(findProgram('absent', { PATH }, '/')).toBeNull()
    expect(findProgram('tool', {}, '/')).toBeNull()
    expect(searchProgram('plain', { PATH: first }, '/')).toEqual({ path: null, ofProject: null, isDenied: true })
  })

  test('may be named by its path, also if it belongs to the project', () => {
    expect(findProgram(join(second, 'tool'), {}, second)).toBe(join(second, 'tool'))
    expect(findProgram(join(first, 'plain'), {}, '/')).toBeNull()
  })

  test('on Windows has an extension, and PATH may be spelt Path', () => {
    writeFileSync(join(second, 'edit.cmd'), '', { mode: 0o755 })
    const on = { platform: 'win32' } as const
    // One folder: the drive letter's colon and Windows' separator do not matter then.
    expect(findProgram('edit', { Path: second }, '/', on)).toBe(`${second}/edit.cmd`)
    expect(findProgram('edit', { Path: second, PATHEXT: '.EXE' }, '/', on)).toBeNull()
    expect(findProgram('edit', { Path: '.' }, '/', on)).toBeNull()
  })
})

describe.skipIf(process.platform === 'win32')('a program of the project is passed over', () => {
  const home = folderWith('home')
  const project = folderWith('home/project')
  const inner = folderWith('home/project/packages/one', 'git')
  const bin = folderWith('home/project/node_modules/.bin', 'git')
  const safe = folderWith('safe', 'git')
  mkdirSync(join(project, '.git'))
  const found = (path: string, folder = project): string | null =>
    findProgram('git', { PATH: path, HOME: home }, folder)
  test('for the next of that name', () => {
    expect(found(`${bin}:${safe}`)).toBe(join(safe, 'git'))
    expect(found(bin)).toBeNull()
    expect(searchProgram('git', { PATH: bin, HOME: home }, project).ofProject).toBe(join(bin, 'git'))
  })

  test.each(['', '.', ':', './node_modules/.bin', 'node_modules/.bin', '../project/node_modules/.bin'])(
    'where PATH has the folder %j, which is not absolute',
    entry => expect(found(`${entry}:${safe}`)).toBe(join(safe, 'git')),
  )

  test('in every repository around the folder, but not in a neighbour', () => {
    expect(found(`${bin}:${safe}`, inner)).toBe(join(safe, 'git'))
    const neighbour = folderWith('home/tools', 'git')
    expect(found(`${neighbour}:${safe}`)).toBe(join(neighbour, 'git'))
    const plain = folderWith('home/plain/sub')
    const above = folderWith('home/plain', 'git')
    expect(found(`${above}:${safe}`, plain)).toBe(join(above, 'git'))
  })

  test('in the folder to which a worktree belongs', () => {
    const worktree = folderWith('home/state/worktree')
    writeFileSync(join(worktree, '.git'), `gitdir: ${project}/.git/worktrees/worktree\n`)
    expect(found(`${bin}:${safe}`, worktree)).toBe(join(safe, 'git'))
    writeFileSync(join(worktree, '.git'), `gitdir: ${home}/.git/worktrees/worktree\n`)
    expect(found(`${bin}:${safe}`, worktree)).toBe(join(bin, 'git'))
  })

  test('through any link: of the folder, of the folder in PATH, of the program, and out of the project', () => {
    expect(found(`${bin}:${safe}`, link('links/project', project))).toBe(join(safe, 'git'))
    expect(found(`${link('links/bin', bin)}:${safe}`)).toBe(join(safe, 'git'))
    expect(found(`${dirname(link('links/own/git', join(bin, 'git')))}:${safe}`)).toBe(join(safe, 'git'))
    const out = dirname(link('home/project/out/git', '/bin/sh'))
    expect(found(`${out}:${safe}`)).toBe(join(safe, 'git'))
    expect(found(`${link('links/out', out)}:${safe}`)).toBe(join(safe, 'git'))
  })

  test('but not those of a home folder, wherever zotui works and even if it is a repository', () => {
    const own = folderWith('home/bin', 'git')
    expect(found(own, home)).toBe(join(own, 'git'))
    expect(found(own, root)).toBe(join(own, 'git'))
    mkdirSync(join(home, '.git'))
    expect(found(own)).toBe(join(own, 'git'))
  })

  test('by what such a program starts, too', () => {
    const env = helperEnvironment({ PATH: `.:${bin}::${safe}:${root}/absent`, HOME: home, A: 'b' }, project)
    expect(env).toEqual({ PATH: `${safe}:${root}/absent`, HOME: home, A: 'b' })
    for (const PATH of [bin, '.', '', undefined])
      expect(helperEnvironment({ PATH, HOME: home }, project)['PATH']).toBe('/usr/bin:/bin')
  })
})

describe.skipIf(process.platform === 'win32')('a program that a shell would find in the project', () => {
  const project = folderWith('shell/project')
  const bin = folderWith('shell/project/bin', 'ls')
  const safe = folderWith('shell/safe', 'ls', 'cat')
  const isFound = (name: string, PATH: string | undefined, at = project): boolean =>
    isOfProject(name, PATH === undefined ? {} : { PATH }, { folder: project, at })

  test('is one that comes first, also by a folder of PATH that is not absolute, or by a link', () => {
    expect(isFound('ls', `${bin}:${safe}`)).toBe(true)
    expect(isFound('ls', `${safe}:${bin}`)).toBe(false)
    expect(isFound('cat', `${bin}:${safe}`)).toBe(false)
    expect(isFound('ls', `bin:${safe}`)).toBe(true)
    expect(isFound('ls', `:${safe}`, bin)).toBe(true)
    expect(isFound('ls', `:${safe}`)).toBe(false)
    symlinkSync(join(bin, 'ls'), join(safe, 'linked'))
    expect(isFound('linked', safe)).toBe(true)
    expect(isFound('absent', safe)).toBe(false)
    expect(isFound('ls', undefined)).toBe(false)
  })
})

const isBusybox = (name: string, ...path: readonly string[]): boolean => isOneForMany(name, { PATH: path.join(':') })

test.skipIf(process.platform === 'win32')('busybox is known by the file behind a name', () => {
  const alpine = folderWith('alpine', 'busybox', 'cat')
  symlinkSync('busybox', join(alpine, 'grep'))
  expect(isBusybox('grep', alpine)).toBe(true)
  expect(isBusybox('cat', alpine)).toBe(false)
  expect(isBusybox('absent', alpine)).toBe(false)
  expect(isBusybox('cat', folderWith('usual', 'cat'), alpine)).toBe(false)
})

describe.skipIf(process.platform === 'win32')('an agent that is a script', () => {
  const home = folderWith('people/me')
  const project = folderWith('people/me/project', 'node', 'bun')
  const safe = folderWith('safe-node', 'node')
  const env = { PATH: `${project}:${safe}`, HOME: home }
  test.each([
    ['plain', '#!/usr/bin/env node', []],
    ['with-flags', '#!/usr/bin/env -S node --no-warnings', ['--no-warnings']],
    ['spaced', '#! /usr/bin/env \t node', []],
  ])('%s is started with the interpreter that is not of the project, and keeps its PATH', (name, line, options) => {
    const file = script(name, line)
    expect(startedProgram(file, env, project)).toEqual({ file: join(safe, 'node'), before: [...options, file], env })
  })

  test('for Node has that of zotui where there is no other', () => {
    const file = script('lonely', '#!/usr/bin/env node')
    const own = { PATH: project, HOME: home }
    expect(startedProgram(file, own, project)).toEqual({ file: process.execPath, before: [file], env: own })
  })

  test.each(['#!/usr/bin/env bun', '#!/usr/bin/env -i node', '#!/usr/bin/env A=b node'])(
    'with %s has a PATH without the project',
    line => {
      const file = script('odd', line)
      const path = { PATH: safe, HOME: home }
      expect(startedProgram(file, env, project)).toEqual({ file, before: [], env: path })
    },
  )

  test.each(['#!/bin/sh', '#!/usr/bin/env /usr/bin/node', 'ELF', ''])('with %j is started as it is', line => {
    const file = script('other', line)
    expect(startedProgram(file, env, project)).toEqual({ file, before: [], env })
    expect(startedProgram(join(root, 'absent'), env, project)).toEqual({ file: join(root, 'absent'), before: [], env })
  })

  test('gets the same arguments as from the system', () => {
    const file = script('says', '#!/usr/bin/env -S sh -e')
    writeFileSync(file, '#!/usr/bin/env -S sh -e\nprintf "%s\\n" "$0" "$@"\n')
    const { file: shell, before } = startedProgram(file, { PATH: process.env['PATH'], HOME: home }, project)
    const args = ['a b', '*']
    expect(execFileSync(shell, [...before, ...args]).toString()).toBe(execFileSync(file, args).toString())
  })
})

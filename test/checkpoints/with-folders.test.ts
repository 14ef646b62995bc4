/** Checkpoints of the project together with those of folders that the user has opened beside it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCheckpoints, type RestorePreview } from '../../src/checkpoints/checkpoints.ts'
import { withFolders } from '../../src/checkpoints/with-folders.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { stage, value } from './stage.ts'

/** A project with other folders, each with one file `b.txt`. */
function staged(...names: string[]) {
  const project = stage({ 'a.txt': 'one' })
  const open = (folder: string) => createCheckpoints({ ...project.options, folder })
  const checkpoints = withFolders(open(project.folder), open)
  const folders = names.map(name => join(project.top, name))
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', [...COMMITTER, ...args], { cwd: folder, env: project.env, stdio: 'ignore' })
  for (const folder of folders) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'b.txt'), 'one')
  }
  const make = async (by: 'user' | 'agent' = 'user', opened = folders) =>
    value(checkpoints.make({ by, session: 's', label: 'a prompt', folders: opened }))
  const restore = async (seen: RestorePreview, keep: string[] = [], opened = folders) =>
    checkpoints.restore(seen.checkpoint.id, {
      session: 's',
      expected: seen.present,
      folders: opened,
      keep,
      ...(seen.inFolders && { inFolders: seen.inFolders }),
    })
  const preview = async (id: string, opened = folders) => value(checkpoints.preview(id, opened))
  return { ...project, checkpoints, folders, git, make, restore, preview }
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8')

test('one checkpoint restores the project and each opened folder, and its undo brings all back', async () => {
  const { at, write, folders, git, make, preview, restore, checkpoints } = staged('lib', 'plain')
  const [lib = '', plain = ''] = folders
  git(lib, 'init', '-q', '--template=')
  const { id, unsaved } = await make()
  expect(unsaved).toEqual([])
  write('a.txt', 'two')
  writeFileSync(join(lib, 'b.txt'), 'two')
  writeFileSync(join(plain, 'new.txt'), 'new')
  await make('agent')
  writeFileSync(join(plain, 'b.txt'), 'mine')

  const seen = await preview(id)
  expect(seen.files.map(({ path, what, byUser }) => [path, what, byUser])).toEqual([
    ['a.txt', 'restored', false],
    [join(lib, 'b.txt'), 'restored', false],
    [join(plain, 'b.txt'), 'restored', true],
    [join(plain, 'new.txt'), 'deleted', false],
  ])
  const done = await value(restore(seen, [join(plain, 'b.txt')]))
  expect([done.count, done.failed]).toEqual([3, []])
  expect([text(at('a.txt')), text(lib, 'b.txt'), text(plain, 'b.txt')]).toEqual(['one', 'one', 'mine'])
  expect(existsSync(join(plain, 'new.txt'))).toBe(false)

  await value(restore(await preview((await value(checkpoints.lastUndo())) ?? '')))
  expect([text(at('a.txt')), text(lib, 'b.txt'), text(plain, 'new.txt')]).toEqual(['two', 'two', 'new'])
})

test('a change in an opened folder alone makes a checkpoint of its own', async () => {
  const { folders, make, preview, restore } = staged('lib')
  const [lib = ''] = folders
  const first = await make()
  expect((await make()).id).toBe(first.id)
  writeFileSync(join(lib, 'b.txt'), 'two')
  const second = await make()
  expect(second.id).not.toBe(first.id)
  writeFileSync(join(lib, 'b.txt'), 'three')
  await value(restore(await preview(second.id)))
  expect(text(lib, 'b.txt')).toBe('two')
  await value(restore(await preview(first.id)))
  expect(text(lib, 'b.txt')).toBe('one')
})

test('a folder that was opened later, or was closed, is not touched', async () => {
  const { folders, make, preview, restore } = staged('early', 'late')
  const [early = '', late = ''] = folders
  const { id } = await make('user', [early])
  for (const folder of folders) writeFileSync(join(folder, 'b.txt'), 'two')
  expect((await preview(id)).files.map(({ path }) => path)).toEqual([join(early, 'b.txt')])

  const closed = await preview(id, [late])
  expect(closed.files).toEqual([])
  expect(closed.stay).toEqual([{ path: early, why: 'is not open any more' }])
  expect(await restore(await preview(id), [], [late])).toEqual({ ok: false, why: `${early} is not open any more` })
  expect([text(early, 'b.txt'), text(late, 'b.txt')]).toEqual(['two', 'two'])
})

test('a link at the place of an opened folder leads no restore elsewhere', async () => {
  const { top, folders, make, preview, restore } = staged('lib')
  const [lib = ''] = folders
  const { id } = await make()
  writeFileSync(join(lib, 'b.txt'), 'two')
  const seen = await preview(id)
  renameSync(lib, join(top, 'moved'))
  symlinkSync(join(top, 'moved'), lib)
  expect(await restore(seen)).toEqual({ ok: false, why: `${lib} is not open any more` })
  expect((await preview(id)).files).toEqual([])
  expect((await make()).unsaved).toEqual([{ folder: lib, why: 'another folder is at its place now' }])
  expect(text(top, 'moved', 'b.txt')).toBe('two')
})

test('nothing is restored anywhere if a file of an opened folder has changed since the preview', async () => {
  const { at, write, folders, make, preview, restore } = staged('lib')
  const [lib = ''] = folders
  const { id } = await make()
  write('a.txt', 'two')
  writeFileSync(join(lib, 'b.txt'), 'two')
  const seen = await preview(id)
  writeFileSync(join(lib, 'b.txt'), 'mine')
  expect(await restore(seen)).toEqual({ ok: false, why: `files in ${lib} have changed since the preview` })
  expect([text(at('a.txt')), text(lib, 'b.txt')]).toEqual(['two', 'mine'])
})

test('of a repository that an opened folder is in, only that folder is restored', async () => {
  const { folders, git, make, preview, restore } = staged('whole')
  const [whole = ''] = folders
  git(whole, 'init', '-q', '--template=')
  const part = join(whole, 'part')
  mkdirSync(part)
  writeFileSync(join(part, 'c.txt'), 'one')
  const { id } = await make('user', [part])
  writeFileSync(join(part, 'c.txt'), 'two')
  writeFileSync(join(whole, 'b.txt'), 'two')
  const seen = await preview(id, [part])
  expect(seen.files.map(({ path }) => path)).toEqual([join(part, 'c.txt')])
  await value(restore(seen, [], [part]))
  expect([text(part, 'c.txt'), text(whole, 'b.txt')]).toEqual(['one', 'two'])
})

test('a folder of the same repository is the project’s, and is restored once', async () => {
  const { top, folder, write, make, preview } = staged()
  write('sub/c.txt', 'one')
  const opened = [join(folder, 'sub')]
  const { id, folders } = await make('user', opened)
  expect([top !== '', folders]).toEqual([true, undefined])
  write('sub/c.txt', 'two')
  expect((await preview(id, opened)).files.map(({ path }) => path)).toEqual(['sub/c.txt'])
})

test('a folder that cannot be saved does not keep the others from it, and is named', async () => {
  const { home, folders, make, preview } = staged('lib')
  const [lib = ''] = folders
  const { id, unsaved } = await make('user', [home, lib])
  expect(unsaved).toEqual([{ folder: home, why: 'this is your home folder, or a folder above it' }])
  writeFileSync(join(lib, 'b.txt'), 'two')
  expect((await preview(id)).files).toHaveLength(1)
})

test('ignored files of an opened folder are not kept, and stay', async () => {
  const { folders, git, make, preview, restore } = staged('lib')
  const [lib = ''] = folders
  git(lib, 'init', '-q', '--template=')
  writeFileSync(join(lib, '.gitignore'), '*.log\n')
  const { id } = await make()
  writeFileSync(join(lib, 'x.log'), 'log')
  rmSync(join(lib, 'b.txt'))
  await value(restore(await preview(id)))
  expect([text(lib, 'x.log'), text(lib, 'b.txt')]).toEqual(['log', 'one'])
})

test('what goes with a session goes in opened folders, too, even if they are closed', async () => {
  const { options, folders, make, checkpoints, preview } = staged('lib')
  const [lib = ''] = folders
  const { id } = await make()
  writeFileSync(join(lib, 'b.txt'), 'two')
  expect(await checkpoints.diff(id, [join(lib, 'b.txt')], folders)).toMatchObject({ ok: true })
  const there = createCheckpoints({ ...options, folder: lib })
  expect(await value(there.list())).toHaveLength(1)
  await value(checkpoints.prune({ most: Infinity, age: Infinity, isKept: () => false }))
  expect(await value(there.list())).toEqual([])
  await expect(preview(id)).rejects.toThrow('there is no checkpoint')
})

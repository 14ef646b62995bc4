/** Names that git or a shell could take for something else, and a folder that gives way to a link: all are kept or named, nothing outside is written. */
import { lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesIn, stage, value } from './stage.ts'

const kinds = [
  ['a repository', true],
  ['a plain folder', false],
] as const

const NAMES =
  String.raw`- -rf * ? [a] ~ :x :(top)x :!x \ a\b ' " #a !a $(touch\ pwned) .. .gitignored git .gi git-2 a.git .git-x`
    .split(' ')
    .filter(name => name !== '..')
    .concat(' ', '\t', 'new\nline', '\u202E', 'é', 'e\u0301', 'x'.repeat(255))
/** Git does not add them: other systems read them as `.git`. */
const REFUSED = ['.git ', '.git.', '.GIT/config', '.Git', 'git~1', 'GIT~1', 'deep/.git /x', '.git:stream']

test.each(kinds)('files of odd names come back in %s, and those that git refuses are named', async (_, isGit) => {
  const here = stage({ 'a.txt': 'a\n' }, isGit)
  for (const name of [...NAMES, ...REFUSED]) here.write(name, 'of the user\n')
  const before = here.files()
  const first = await here.make()
  const [made] = await value(here.checkpoints.list())
  expect(made?.left.toSorted()).toEqual(REFUSED.toSorted())
  for (const name of NAMES) here.write(name, 'of the agent\n')
  await here.make('agent')
  expect(await value(here.checkpoints.restore(first, { session: 's' }))).toMatchObject({ failed: [] })
  expect(here.files()).toEqual(before)
})

test.each(kinds)('a folder that gives way to a link after the preview leads nobody outside of %s', async (_, isGit) => {
  const here = stage({ 'a.txt': 'a\n', 'folder/one': 'one\n', 'folder/deep/two': 'two\n' }, isGit)
  const outside = join(here.top, 'outside')
  mkdirSync(join(outside, 'deep'), { recursive: true })
  for (const name of ['one', 'deep/two', 'added']) writeFileSync(join(outside, name), 'secret\n')
  const secrets = filesIn(outside)
  const first = await here.make()
  for (const name of ['folder/one', 'folder/deep/two', 'folder/added', 'a.txt']) here.write(name, 'agent\n')
  await here.make('agent')
  await value(here.checkpoints.preview(first))
  renameSync(here.at('folder'), join(here.top, 'moved'))
  symlinkSync(outside, here.at('folder'))
  await value(here.checkpoints.restore(first, { session: 's' }))
  expect(here.files()).toMatchObject({ 'a.txt': '644 a\n', 'folder/one': '644 one\n', 'folder/deep/two': '644 two\n' })
  await value(here.checkpoints.restore((await value(here.checkpoints.lastUndo())) ?? '', { session: 's' }))
  expect(lstatSync(here.at('folder')).isSymbolicLink()).toBe(true)
  expect(filesIn(outside)).toEqual(secrets)
})

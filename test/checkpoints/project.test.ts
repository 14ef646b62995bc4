/** The settings of a repository that count for checkpoints. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localDisk } from '../../src/checkpoints/disk.ts'
import { findProject } from '../../src/checkpoints/project.ts'
import { stage } from './stage.ts'

const files = { 'a.txt': '' }

/** The repository of a new project with these settings in place of its own. */
async function settled(settings: string) {
  const { folder, home, env, write } = stage(files)
  write('.git/config', `[core]\nrepositoryFormatVersion = 0\n${settings}`)
  mkdirSync(join(home, '.config/git'), { recursive: true })
  write('../home/.config/git/ignore', 'usual\n')
  write('../home/my rules', 'own\n')
  write('.git/info/exclude', 'excluded\n')
  const disk = localDisk(join(home, 'shadows'), env)
  const found = await findProject({ folder, home, disk, signal: new AbortController().signal })
  if (!found.ok || !found.project.git) throw new Error('this is a repository')
  const { git, rules } = found.project
  return { settings: git.settings.filter(each => each !== '-c'), converts: git.convertsLineEnds, rules: rules.trim() }
}

test.each([
  ['', { settings: [], converts: false, rules: 'usual\n\nexcluded' }],
  ['filemode', { settings: ['core.filemode=true'] }],
  ['fileMode = No\nignoreCase = on', { settings: ['core.ignorecase=true', 'core.filemode=false'] }],
  [
    'symlinks = true\nsymlinks = 0\nprecomposeUnicode =',
    { settings: ['core.symlinks=false', 'core.precomposeunicode=false'] },
  ],
  ['autocrlf', { settings: [], converts: true }],
  ['autocrlf = Input', { converts: true }],
  ['autocrlf = false', { converts: false }],
  ['excludesFile = "~/my rules"', { rules: 'own\n\nexcluded' }],
  ['excludesFile = ~/nothing', { rules: 'excluded' }],
])('the settings %j of a repository count as git reads them', async (settings, expected) => {
  expect(await settled(settings)).toMatchObject(expected)
})

/** The settings of a repository that count for checkpoints. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localDisk } from '../../src/checkpoints/disk.ts'
import { makePlan } from '../../src/checkpoints/plan.ts'
import { findProject } from '../../src/checkpoints/project.ts'
import type { Checkpoint } from '../../src/checkpoints/record.ts'
import { answerOf, openShadow } from '../../src/checkpoints/shadow.ts'
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
  const found = await findProject({ folder, home, disk })
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

test('a repository whose settings lead to another folder is no reason to keep or restore that one', async () => {
  const { folder, home, env, top, configure } = stage(files)
  mkdirSync(join(top, 'others'))
  const disk = localDisk(join(home, 'shadows'), env)
  const find = () => findProject({ folder, home, disk })
  expect(await find()).toMatchObject({ project: { root: folder, git: { format: 'sha1' } } })
  for (const elsewhere of ['others', '.']) {
    configure(`[core]\nworktree = ${join(top, elsewhere)}\n`)
    expect(await find()).toMatchObject({ project: { root: folder, git: null } })
  }
})

test.skipIf(process.platform === 'win32')('an index that is a pipe or a device holds up no checkpoint', async () => {
  for (const kind of ['pipe', 'device']) {
    const { at, make, preview, write } = stage(files)
    rmSync(at('.git/index'))
    if (kind === 'pipe') execFileSync('mkfifo', [at('.git/index')])
    else symlinkSync('/dev/zero', at('.git/index'))
    const id = await make()
    write('a.txt', 'changed')
    expect((await preview(id)).files).toMatchObject([{ path: 'a.txt' }])
  }
})

test('what belongs to a repository is never restored, whatever a tree has', async () => {
  const { folder, home, env } = stage(files)
  const disk = localDisk(join(home, 'shadows'), env)
  const found = await findProject({ folder, home, disk })
  if (!found.ok) throw new Error(found.off)
  const shadow = await openShadow(found.project, { disk, limit: 10_000 })
  const ask = async (args: string[], input: string) =>
    (await answerOf(shadow.git(args, undefined, Buffer.from(input)))).toString().trim()
  const blob = await ask(['hash-object', '-w', '--stdin'], 'fsmonitor')
  const inner = await ask(['mktree'], `100644 blob ${blob}\tconfig\n`)
  const nothing = await ask(['mktree'], '')
  const names = ['.git', '.GIT', 'git~1', '.g\u200cit', '.git . ']
  const rows = names.map(name => `040000 tree ${inner}\t${name}\n`).join('')
  const tree = await ask(['mktree'], `${rows}040000 tree ${inner}\tfine\n`)
  const target = {
    id: '1',
    at: 0,
    by: 'user',
    session: 's',
    label: '',
    left: [],
    modes: {},
    changed: 0,
    tree,
  } as unknown as Checkpoint
  const { files: planned, stay } = await makePlan(shadow, target, { tree: nothing, left: [] }, new Set())
  expect(planned.map(({ path }) => path)).toEqual(['fine/config'])
  expect(stay.map(({ path, why }) => `${path} ${why}`).toSorted()).toEqual(
    names.map(name => `${name}/config belongs to git`).toSorted(),
  )
})

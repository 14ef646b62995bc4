/** Every option of the table, and every setting of git, in a repository that would run a program with each of them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import type { ToolRequest } from '../../../src/agent/permission.ts'
import { decide } from '../../../src/permissions/decide.ts'
import { effectOf } from '../../../src/platform/git/repository-settings.ts'
import { readingLine } from '../../../src/platform/git/switches.ts'
import { isLong } from '../../helpers/length.ts'
import { place as usual } from '../../permissions/policy.ts'
import { linesOfAll } from './option-lines.ts'
import { repository, type GitProject } from './reading.ts'

const operands = [
  '',
  'HEAD',
  'a.file',
  'HEAD~1 HEAD',
  '-- a.file',
  'mark',
  'HEAD:a.file',
  'sub',
  'side...main',
  '@{u}',
  ':/first',
]

/** A repository with a merge, a tag, a stash and a submodule, each with something to run. */
function trapped(): GitProject {
  const project = repository()
  const { git, write, canary, folder } = project
  write('.gitattributes', '*.file diff=x filter=x merge=x\n')
  write('a.file', '1\n')
  git('add', '.')
  git('commit', '-q', '-m', 'attributes')
  git('checkout', '-q', '-b', 'side')
  write('a.file', '2\n')
  git('commit', '-qam', 'side')
  git('checkout', '-q', 'main')
  write('a.file', '3\n')
  git('commit', '-qam', 'main')
  git('merge', '-q', '-s', 'ours', '-m', 'merged', 'side')
  git('tag', '-a', '-m', 'mark', 'mark')
  write('sub/.gitattributes', '* diff=y filter=y\n')
  write('sub/x', '1\n')
  const sub = path.join(folder, 'sub')
  project.gitIn(sub, 'init', '-q')
  project.gitIn(sub, 'add', '.')
  project.gitIn(sub, 'commit', '-q', '-m', 'x')
  git('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub')
  git('commit', '-q', '-m', 'sub')
  for (const key of ['core.fsmonitor', 'filter.y.clean', 'diff.y.textconv', 'diff.y.command'])
    project.gitIn(sub, 'config', key, canary)
  write('sub/x', '2\n')
  write('a.file', '4\n')
  git('stash', '-q')
  write('a.file', '5\n')
  write('.gitmodules', '[submodule "x"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n')
  // Making all this ran it.
  project.forget()
  return project
}

/** Settings that name a program, as far as a reading command is not asked about because of them. */
const programs =
  `alias.log alias.status blame.ignoreRevsFile core.askPass core.editor core.fsmonitor core.gitProxy core.pager core.sshCommand
  credential.helper diff.x.textconv filter.x.clean filter.x.process hook.h.command interactive.diffFilter merge.x.driver pager.log pager.status
  remote.o.uploadpack remote.o.vcs sequence.editor submodule.x.update trailer.x.command`.split(/\s+/)

test('no option of the table runs a program or changes the repository', async () => {
  const project = trapped()
  const { folder, git, canary } = project
  for (const key of programs) git('config', key, canary)
  const flags = { 'log.diffMerges': 'remerge', 'diff.submodule': 'diff', 'hook.h.event': 'post-index-change' }
  const booleans = ['submodule.recurse', 'status.submoduleSummary', 'log.showSignature', 'diff.x.cachetextconv']
  for (const [key, value] of Object.entries(flags)) git('config', key, value)
  for (const key of booleans) git('config', key, 'true')
  git('config', 'pretty.mine', '%G?%GG')
  const verdict = await project.judge('git status')
  if (verdict.verdict !== 'allow' || verdict.box?.kind !== 'reading' || !verdict.box.git)
    throw new Error(verdict.because)
  const says = { reason: null, isPartial: false, programs: [], settings: verdict.box.git }
  const policy = { mode: 'read' as const, rules: [], place: { ...usual, folder, home: folder, git: () => says } }
  const request = { id: '', callId: null, tool: 'bash', kind: 'command', arguments: {}, folder } satisfies ToolRequest
  const allowed = linesOfAll(operands, 30).filter(
    command => decide(policy, { ...request, command }).verdict === 'allow',
  )
  expect(allowed.length).toBeGreaterThan(isLong ? 4000 : 100)
  const before = stateOf(project)
  project.forget()
  for (let at = 0; at < allowed.length; at += 50) {
    const some = allowed.slice(at, at + 50)
    for (const file of ['a.txt', 'a.file']) utimesSync(path.join(folder, file), 1, 1)
    run(project, readingLine(verdict.box.git, process.env) + some.map(line => `${line} </dev/null`).join('\n'))
    expect([project.ran() ? some : '', stateOf(project)]).toEqual(['', before])
  }
}, 600_000)

test('no setting of git that asks nothing runs a program', () => {
  const project = trapped()
  const { folder, canary } = project
  const file = path.join(folder, '.git/config')
  const config = readFileSync(file, 'utf8')
  const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n')
  const keys = listed.filter(key => /^[a-z]+\./i.test(key)).map(key => key.replaceAll(/<[^>]*>|\*/g, 'x'))
  const start = Math.floor(Math.random() * 40)
  const chosen = isLong ? keys : keys.filter((_key, at) => at % 40 === start)
  expect(chosen.length).toBeGreaterThan(15)
  for (const key of [...chosen, ...programs]) {
    const [, section = '', name, last = ''] = /^([^.]*)\.(?:(.*)\.)?([^.]*)$/s.exec(key) ?? []
    const middle = name === undefined ? '' : `${name}.`
    const effect = effectOf([`${section.toLowerCase()}.${middle}${last.toLowerCase()}`, canary])
    if (effect === 'asks' || section.toLowerCase().startsWith('include')) continue
    writeFileSync(file, config)
    appendFileSync(file, `[${section}${name === undefined ? '' : ` "${name}"`}]\n\t${last} = ${canary}\n`)
    utimesSync(path.join(folder, 'a.txt'), 1, 1)
    const commands = [
      'git status -v',
      'git diff HEAD',
      "git log -p -m -2 --format='%h%G?'",
      'git blame a.file',
      'git branch -av',
    ]
    run(project, readingLine([...effect.override, ['submodule.x.ignore', 'dirty']], process.env) + commands.join('\n'))
    expect([key, project.ran()]).toEqual([key, false])
  }
}, 600_000)

test('the same commands do run these programs where nothing holds them', () => {
  const project = trapped()
  for (const [key, command] of [
    ['core.fsmonitor', 'git status'],
    ['filter.x.clean', 'git blame a.file'],
    ['diff.x.textconv', 'git log -p'],
  ] as const) {
    project.git('config', key, project.canary)
    project.forget()
    run(project, `touch a.file; ${command}`)
    expect([key, project.ran()]).toEqual([key, true])
    project.git('config', '--unset', key)
  }
})

function run({ folder }: GitProject, script: string): void {
  spawnSync('/bin/sh', ['-c', script], { cwd: folder, stdio: 'ignore', timeout: 120_000 })
}

/** All but the index and what git itself keeps beside it. */
function stateOf({ folder }: GitProject): string {
  const script = `git rev-parse HEAD; git for-each-ref; find . -path ./.git -prune -o -type f -print | sort
    cd .git && find . -type f ! -name index ! -path './objects/*' | sort | xargs cksum`
  return spawnSync('/bin/sh', ['-c', script], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
    .stdout
}

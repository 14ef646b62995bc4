/** What /move back says of a conversation that began on another machine is run as it stands, with programs that start a shell here. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { howToBring } from '../../src/move/bring-commands.ts'
import { BOOT } from '../../src/platform/remote/quoting.ts'
import { readOn, readVia, type Target } from '../../src/platform/remote/target.ts'
import { moveStage } from './stage.ts'

function targetOf(on: string): Target {
  const read = on.startsWith('via:') ? readVia(on.slice(4)) : readOn(on)
  if (!read.ok) throw new Error(read.reason)
  return read.target
}

const inPod: Target = {
  name: 'job:big/zotui-big-7f3a1c',
  identity: '',
  file: 'kubectl',
  args: ['--context', 'my cluster', 'exec', '-i', 'zotui-big-7f3a1c-abcde', '-c', 'work', '--', 'sh', '-c', BOOT],
  folder: null,
}

test.each([
  ['a host of ssh', targetOf('ssh:build'), 'from-ssh-build'],
  ['a pod', targetOf('kubectl:web'), 'from-kubectl-web'],
  ['a Job', inPod, 'from-job-big-zotui-big-7f3a1c'],
])('the commands for %s make a branch here of what is there', (_what, target, branch) => {
  const { env, folder, git, homeThere, read, write } = moveStage()
  const there = join(homeThere, "it's there")
  git(folder, 'clone', '-q', folder, there)
  write(join(there, 'new.txt'), 'new there\n')
  const bin = join(homeThere, 'bin')
  write(join(bin, 'ssh'), '#!/bin/sh\nshift 3\nexec sh -c "$1"\n')
  write(join(bin, 'kubectl'), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
  for (const name of ['ssh', 'kubectl']) chmodSync(join(bin, name), 0o755)

  const [, commit = '', , fetch = ''] = howToBring(target, there).split('`')
  const person = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }
  const variables = { ...env, ...person, PATH: `${bin}:${env['PATH'] ?? ''}` }
  const run = (cwd: string, line: string): void =>
    void execFileSync('/bin/sh', ['-c', line], { cwd, env: variables, stdio: 'pipe' })
  expect(commit).toMatch(/^!/)
  run(there, commit.slice(1))
  run(folder, fetch)
  expect(git(folder, 'show', `${branch}:new.txt`)).toBe('new there')
  expect(read(join(folder, 'a.txt'))).toBe('one\n')
})

test('the command of --via is not shown: it may hold secrets', () => {
  const words = howToBring(targetOf('via:nsenter --token secret'), '/srv/app')
  expect(words).toContain('`VIA git -C /srv/app bundle create - HEAD > work.bundle')
  expect(words).not.toContain('secret')
})

test('a container that zotui has started names the branch that its clone becomes', () => {
  const args = ['exec', '-i', '-w', '/', 'zotui-web-1a2b3c4d', 'sh', '-c', BOOT]
  const target = { name: 'container:web', identity: '', file: 'podman', args, folder: '/srv/app' }
  expect(howToBring(target, '/srv/app')).toContain('comes back as the branch zotui/web-1a2b3c4d;')
})

import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gitPrograms } from '../../src/platform/git-programs.ts'

function repository(): { folder: string; git: (...words: string[]) => string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'zotui-test-git-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' })
  git('init', '-q')
  return { folder, git }
}

test('an ordinary repository runs nothing', () => {
  const { folder, git } = repository()
  git('config', 'user.name', 'Ann')
  git('config', 'core.fsmonitor', 'true')
  git('config', 'remote.origin.url', 'https://example.com/process.git')
  mkdirSync(path.join(folder, 'sub'))
  expect(gitPrograms(folder)).toBeNull()
  expect(gitPrograms(path.join(folder, 'sub'))).toBeNull()
})

test.each([
  '[core] fsmonitor = ./a.sh',
  '[core]\n\tFsMonitor=./a.sh',
  '[diff "x"]\ntextconv = ./a.sh',
  '[filter "x"]\nclean = ./a.sh',
  '[include]\npath = ../other',
  '[includeIf "gitdir:/"]\npath = ../other',
  '[gpg]\nprogram = ./a.sh',
  '[core]\nworktree = /home',
  '[remote "o"]\npromisor = true\nuploadpack = ./a.sh',
  '[protocol "ext"]\nallow = always',
  '[pager]\nlog = ./a.sh',
])('%j is named', text => {
  const { folder } = repository()
  appendFileSync(path.join(folder, '.git', 'config'), `\n${text}\n`)
  expect(gitPrograms(folder)).toContain(path.join('.git', 'config'))
})

test('files that look like a repository are one, and git runs their program', () => {
  const { folder } = repository()
  const sub = path.join(folder, 'sub')
  for (const name of ['objects', 'refs', 'tree']) mkdirSync(path.join(sub, name), { recursive: true })
  writeFileSync(path.join(sub, 'HEAD'), 'ref: refs/heads/main\n')
  const config = '[core]\nrepositoryformatversion = 0\nbare = false\nworktree = tree\nfsmonitor = "touch ran; false"\n'
  writeFileSync(path.join(sub, 'config'), config)
  execFileSync('git', ['status'], { cwd: sub })
  expect(existsSync(path.join(sub, 'tree', 'ran'))).toBe(true)
  expect(gitPrograms(sub)).toContain('without .git')
})

test('the settings of a linked worktree are those of its repository', () => {
  const { folder, git } = repository()
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'a')
  git('worktree', 'add', '-q', 'linked')
  const linked = path.join(folder, 'linked')
  expect(gitPrograms(linked)).toBeNull()
  git('config', 'core.fsmonitor', './a.sh')
  expect(gitPrograms(linked)).not.toBeNull()
})

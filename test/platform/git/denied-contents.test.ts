/** Files that a rule denies, in the output of a real git that runs unasked. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isLong } from '../../helpers/length.ts'
import { linesOfAll } from './option-lines.ts'
import { emptyProject, type GitProject } from './reading.ts'

/** The content of the denied files: each line of it has this word. */
const CANARY = 'kanarienvogel'
const deny = ['Read(.env)', 'Read(keys/**)']

/** The denied files are in the index, in the last commit, in earlier ones, in a merge, a stash, a tag and a note. */
function withSecrets(): GitProject & { blob: string } {
  const project = emptyProject()
  const { git, write } = project
  const commit = (message: string, ...more: string[]): string => git('commit', '-q', '-a', '-m', message, ...more)
  git('init', '-q', '-b', 'main')
  write('.env', `${CANARY} 1\n\tfunction ${CANARY}() {\n \t${CANARY} \n`)
  write('keys/a', `${CANARY} 2\n`)
  write('a.ts', 'one\ntwo\nthree\n')
  write('sub/.env', `${CANARY} 3\n`)
  git('add', '.')
  commit('first')
  git('mv', 'keys/a', 'moved.ts')
  write('moved.ts', 'harmless\n')
  commit('moved')
  git('checkout', '-q', '-b', 'side')
  write('.env', `${CANARY} side \n`)
  write('a.ts', 'one\nside\nthree\n')
  commit('side')
  git('checkout', '-q', 'main')
  write('.env', `${CANARY} main \n`)
  commit('main')
  git('merge', '-q', '-s', 'ours', '-m', 'merged', 'side')
  const blob = git('rev-parse', 'HEAD:.env').trim()
  git('tag', 'blob', blob)
  git('tag', '-a', '-m', 'a tag', 'mark', blob)
  write('.env', `${CANARY} stashed \n`)
  git('stash', '-q')
  write('.env', `${CANARY} staged \n`)
  git('add', '.env')
  write('.env', `${CANARY} folder \n`)
  write('a.ts', 'one\nchanged\nthree\n')
  return Object.assign(project, { blob })
}

const operandsOf = (blob: string): string[] => [
  '',
  'HEAD',
  'HEAD~1 HEAD',
  'main..side',
  '-- a.ts',
  'a.ts',
  'moved.ts',
  '-- moved.ts',
  '-- sub',
  'blob',
  'mark',
  blob.slice(0, 8),
  'stash@{0}',
  ':/first',
  ':a.ts',
  'HEAD --stat',
  '--stat HEAD',
  '--stat blob',
  '--name-only mark',
]

test('no option of the table prints a denied file of the repository unasked', async () => {
  const project = withSecrets()
  const lines = linesOfAll(operandsOf(project.blob), 120)
  const printed: string[] = []
  let ran = 0
  for (const command of lines) {
    const output = await project.attempt(command, { mode: 'ask', deny })
    if (output !== null) ran += 1
    if (output?.includes(CANARY)) printed.push(command)
  }
  expect(printed).toEqual([])
  expect(ran).toBeGreaterThan(isLong ? 3000 : 25)
})

const loud = [
  'git diff',
  'git diff --cached',
  'git diff HEAD',
  'git show',
  'git show HEAD',
  'git show HEAD:./.env',
  'git show side',
  'git show blob',
  'git show --stat mark',
  'git log -p',
  'git log -p --all',
  'git log -S kanarienvogel',
  'git status -v',
  'git grep kanarienvogel',
  'git grep -h kanarienvogel HEAD',
  'git stash show -p',
  'git blame .env',
  'git cat-file -p blob',
  'git cat-file -p HEAD:.env',
  'git diff-tree -p HEAD~2',
  'git archive HEAD',
  'git for-each-ref --format="%(raw)"',
  'git tag -l --format="%(raw)"',
  'cd sub && git diff HEAD~3',
  'git -C sub show HEAD~3:./.env',
]

test.each(loud)(
  '%s prints a denied file, and does not run unasked in any mode, nor with a rule for git',
  async command => {
    const project = withSecrets()
    expect(execFileSync('/bin/sh', ['-c', command], { cwd: project.folder, encoding: 'utf8' })).toMatch(
      /kanarienvogel|commit/,
    )
    for (const mode of ['ask', 'edits', 'allow', 'plan', 'read'] as const) {
      const rules = mode === 'ask' ? ['Bash(git:*)'] : []
      expect((await project.judge(command, { mode, deny, rules })).verdict).not.toBe('allow')
    }
  },
)

test('what git tracks is asked in each repository, as it is now', async () => {
  const project = emptyProject()
  const { git, write, folder, judge, gitIn } = project
  const verdict = async (command: string): Promise<string> => (await judge(command, { mode: 'ask', deny })).verdict
  expect(await verdict('git diff')).toBe('allow')
  git('init', '-q', '-b', 'main')
  expect(await verdict('git diff')).toBe('allow')
  write('a.ts', 'x\n')
  write('.env', 'x\n')
  git('add', 'a.ts')
  expect(await verdict('git diff --cached')).toBe('allow')
  git('add', '.env')
  expect(await verdict('git diff --cached')).toBe('ask')
  git('commit', '-q', '-m', 'x')
  git('rm', '-q', '--cached', '.env')
  // It is in the last commit still.
  expect(await verdict('git diff --cached')).toBe('ask')
  git('commit', '-q', '-m', 'y')
  expect(await verdict('git diff --cached')).toBe('allow')
  expect(await verdict('git show')).toBe('ask')
  expect(await verdict('git show --stat')).toBe('allow')
  const inner = path.join(folder, 'inner')
  write('inner/.env', 'x\n')
  gitIn(inner, 'init', '-q')
  gitIn(inner, 'add', '.env')
  expect(await verdict('git -C inner diff')).toBe('ask')
  expect(await verdict('cd inner && git diff')).toBe('ask')
  expect(await verdict('git diff')).toBe('allow')
})

/** Rules against reading a file, and the commands of git that print what is in files without naming them. */
import { expect, test } from 'vitest'
import type { PermissionMode } from '../../src/agent/permission.ts'
import { decide } from '../../src/permissions/decide.ts'
import type { TrackedFiles } from '../../src/permissions/policy.ts'
import { bash, place, policy } from './policy.ts'

const top = place.folder
const tracked: TrackedFiles = {
  top,
  files: ['.env', 'src/a.ts', 'src/keys/id.pem', 'odd name'].map(name => `${top}/${name}`),
}
const others: TrackedFiles = { top, files: [`${top}/src/a.ts`, `${top}/README.md`] }
const nowhere: TrackedFiles = { top: null, files: [] }
const existing = new Set([`${top}/src/a.ts`, `${top}/src`, `${top}/.env`])

type Lists = { deny?: string[]; ask?: string[]; allow?: string[] }

function verdictOf(
  command: string,
  lists: Lists,
  { mode = 'ask', files = tracked }: { mode?: PermissionMode; files?: TrackedFiles | null } = {},
): string {
  const own = policy(mode, lists)
  const known = { ...own.place, tracked: () => files, exists: (path: string) => existing.has(path) }
  const { verdict, because } = decide({ ...own, place: known }, bash(command))
  return verdict === 'ask' ? `ask: ${because}` : verdict
}

const deny = (...rules: string[]): Lists => ({ deny: rules })

/** They print the index, the folder or the last commit. */
const printsTracked = [
  'git diff',
  'git diff --cached',
  'git diff HEAD',
  'git diff -U9',
  'git diff --stat -p',
  'git status -v',
  'git diff @',
]
/** They may print any commit. */
const printsAny = [
  'git show',
  'git show HEAD',
  'git show HEAD:src/a.ts',
  'git show 1234567',
  'git show --stat 1234567',
  'git show --name-only v1',
  'git show --tags --stat',
  'git show --all --name-only HEAD',
  'git log -p',
  'git log -p -1',
  'git log -S secret --oneline',
  'git log -G secret',
  'git log -L 1,5:src/a.ts',
  'git log -c',
  'git log --word-diff',
  'git log --check',
  'git log -p --follow -- src/a.ts',
  'git diff HEAD~1',
  'git diff main..side',
  'git diff a b',
  'git diff --check HEAD~1',
  'git blame src/a.ts',
  'git -C src show',
  'git --no-pager log -p',
  'cd src && git show',
  'timeout 5 git show',
  'git status && git show',
]
/** They are on no list of what only prints names. */
const isUnlisted = [
  'git stash show -p',
  'git stash show',
  'git stash list -p',
  'git grep secret',
  'git cat-file -p HEAD:x',
  'git cat-file --batch --batch-all-objects',
  'git archive HEAD',
  'git format-patch --stdout -1',
  'git diff-tree -p HEAD',
  'git diff-index -p HEAD',
  'git diff-files -p',
  'git whatchanged -p',
  'git range-diff a b c',
  'git annotate src/a.ts',
  'git reflog -p',
  'git add -p',
  'git commit -v --dry-run',
  'git tag -l --format=%(raw)',
  'git for-each-ref --format=%(raw)',
  'git config --blob HEAD:x --list',
  'git config --blob=1234567 -l',
  'git -c a.b=c status',
  'git --git-dir=x status',
  'git $x',
  'git hash-object -t x',
  '/usr/bin/git show',
  "sh -c 'git show'",
  'git submodule foreach git diff',
  "git submodule foreach 'git diff -- src'",
  "git rebase -x 'git diff' main",
  'echo src/a.ts | xargs git diff --',
  'find . -execdir git diff ;',
  'cd "$x"; git show',
  'git -C "$x" diff',
]
/** They print names, numbers and messages, or nothing. */
const printsNames = [
  'git',
  'git status',
  'git status -sb',
  'git log',
  'git log --oneline -5',
  'git log --stat',
  'git log --name-only -M --graph --all',
  'git log --grep secret --author x',
  'git log --follow -- src/a.ts',
  'git diff --stat',
  'git diff --name-only HEAD~1',
  'git diff --numstat main..side',
  'git diff --quiet',
  'git show --stat',
  'git show --name-only HEAD~2',
  'git show -s HEAD^',
  'git branch -a',
  'git ls-files',
  'git ls-tree -r HEAD',
  'git rev-parse HEAD',
  'git rev-list --count HEAD',
  'git describe --tags',
  'git shortlog -sn',
  'git tag -l',
  'git remote -v',
]

test.each([...printsTracked, ...printsAny, ...isUnlisted])(
  '%s asks where a file that git tracks is denied',
  command => {
    for (const mode of ['ask', 'edits', 'allow', 'plan', 'read'] as const) {
      const told = verdictOf(command, deny('Read(.env)'), { mode })
      // A mode that only reads refuses what may do more.
      const isOfRule = mode === 'plan' || mode === 'read' ? /^(?:ask|refuse)/ : /^ask: the rule Read\(\.env\) /
      expect(told).toMatch(isOfRule)
    }
    expect(verdictOf(command, { ask: ['Read(*.pem)'], allow: ['Bash'] }, { mode: 'allow' })).toMatch(
      /^ask: the rule Read/,
    )
    expect(verdictOf(command, { ...deny('Read(.env)'), allow: ['Bash(git:*)'] })).toMatch(/^ask: the rule Read/)
  },
)

test.each([...printsTracked, ...printsAny])(
  '%s runs unasked where the rule means no file of the repository',
  command => {
    for (const mode of ['ask', 'plan', 'read'] as const) {
      expect(verdictOf(command, deny('Read(~/.ssh/**)', 'Read(../other/**)'), { mode })).toBe('allow')
      expect(verdictOf(command, deny('Edit(.env)'), { mode })).toBe('allow')
      expect(verdictOf(command, deny('Read(.env)'), { mode, files: nowhere })).toBe('allow')
    }
  },
)

test.each(printsTracked)('%s runs unasked where git tracks no denied file', command => {
  expect(verdictOf(command, deny('Read(.env)', 'Read(*.pem)'), { files: others })).toBe('allow')
})

test.each(printsAny)('%s asks where git tracks no denied file any more', command => {
  expect(verdictOf(command, deny('Read(.env)'), { files: others })).toMatch(
    /git may print a file that was there before/,
  )
})

test.each([...printsTracked, ...printsAny])('%s asks where git does not say what it tracks', command => {
  expect(verdictOf(command, deny('Read(.env)'), { files: null })).toMatch(/git does not say which files/)
  const many = { top, files: Array.from({ length: 20_001 }, (_, at) => `${top}/${at}`) }
  expect(verdictOf(command, deny('Read(.env)'), { files: many })).toMatch(/too many files/)
})

test.each(printsNames)('%s runs unasked', command => {
  for (const mode of ['ask', 'edits', 'plan', 'read', 'allow'] as const)
    for (const files of [tracked, null])
      expect(verdictOf(command, deny('Read(.env)'), { mode, files })).toMatch(command === 'git' ? /./ : /^allow$/)
})

test.each([
  'git add -A',
  'git commit -m x',
  "git commit -am 'a message'",
  'git push -u origin main',
  'git push --force-with-lease',
  'git pull --rebase',
  'git fetch --all --prune',
  'git checkout -b x',
  'git switch -c x',
  'git merge --no-ff side',
  'git rebase --continue',
  'git reset --hard HEAD~1',
  'git stash',
  'git stash pop',
  'git stash push -u -m x',
  'git restore --staged a',
  'git tag -a v1 -m v1',
  'git branch -D x',
  'git cherry-pick -x 1234567',
  'git worktree add ../x',
  'git init',
  'git --version',
])('%s prints no file: mode allow does not ask', command => {
  expect(verdictOf(command, deny('Read(.env)'), { mode: 'allow' })).toBe('allow')
})

test.each([
  ['git diff -- src', 'allow'],
  ['git diff src/a.ts', 'allow'],
  ['git diff HEAD -- src/a.ts', 'allow'],
  ['git diff --cached -- src/a.ts', 'allow'],
  ['git -C src diff -- a.ts', 'allow'],
  ['git diff -- .', 'ask'],
  ['git diff -- src .', 'ask'],
  ["git diff -- '*.ts'", 'ask'],
  ["git diff -- ':/'", 'ask'],
  ["git diff -- ':!src'", 'ask'],
  ['git diff -- "$x"', 'ask'],
  // It may be a branch.
  ['git diff src/b.ts', 'ask'],
  ['git diff -U -- src/a.ts', 'allow'],
  ['git log -p -- src/a.ts', 'ask'],
  ['git log -p -n -- src/a.ts', 'ask'],
  ['git log -p -S -- src/a.ts', 'ask'],
])('%s with Read(.env) denied: %s', (command, expected) => {
  expect(verdictOf(command, deny('Read(.env)')).slice(0, expected.length)).toBe(expected)
})

test.each([
  ['git log -p -- src', 'allow'],
  ['git show HEAD -- src/a.ts', 'allow'],
  ['git diff HEAD~3 -- src/a.ts', 'allow'],
  // A tag may be a file itself, and blame and --follow go on under earlier names.
  ['git show v1 -- src/a.ts', 'ask'],
  ['git blame -- src/a.ts', 'ask'],
  ['git log -p --follow -- src/a.ts', 'ask'],
  ['git log -p -- src keys', 'ask'],
  ['git log -p -- .', 'ask'],
  ['git log -p', 'ask'],
])('%s with Read(keys/**) denied: %s', (command, expected) => {
  expect(verdictOf(command, deny('Read(keys/**)')).slice(0, expected.length)).toBe(expected)
})

test('the question names the file, and a file that is named is refused', () => {
  expect(verdictOf('git diff', deny('Read(*.pem)'))).toContain('it may apply here: git may print src/keys/id.pem')
  for (const command of ['git show HEAD:.env', 'git blame .env', 'git diff -- .env', 'git cat-file -p HEAD:.env'])
    expect(verdictOf(command, deny('Read(.env)'), { mode: 'allow' })).toBe('refuse')
})

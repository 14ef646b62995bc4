/** The reasons that stop a release, in a repository of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { releaseRefusal } from '../../scripts/release-refusal.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- one\n\n## 0.1.0 - 2026-01-01\n\n- zero\n'

type Repository = {
  git: (...args: string[]) => Promise<void>
  /** Writes the file and commits it. */
  commit: (name: string, text: string) => Promise<void>
  refusal: (next?: string) => Promise<string | null>
  path: string
}

/** One that can be released. */
async function repository(): Promise<Repository> {
  const path = mkdtempSync(join(tmpdir(), 'zotui-release-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const git = async (...args: string[]): Promise<void> => void (await execa('git', [...author, ...args], { cwd: path }))
  const commit = async (name: string, text: string): Promise<void> => {
    writeFileSync(join(path, name), text)
    await git('add', name)
    await git('commit', '--quiet', '--message', name)
  }
  await git('init', '--quiet', '--initial-branch', 'main')
  await commit('package.json', '{"version":"0.1.0"}')
  await commit('package-lock.json', '{"version":"0.1.0","packages":{"":{"version":"0.1.0"}}}')
  await commit('CHANGELOG.md', CHANGELOG)
  return { git, commit, path, refusal: (next?: string) => releaseRefusal(path, next ?? null) }
}

test('a release is not refused if all is well, with and without a version', async () => {
  const { refusal } = await repository()
  expect(await refusal()).toBeNull()
  expect(await refusal('0.2.0')).toBeNull()
})

test.each<[what: string, spoil: (repository: Repository) => Promise<void> | void, words: RegExp]>([
  ['a branch of its own', ({ git }) => git('switch', '--quiet', '--create', 'topic'), /from main, but this is topic/],
  ['no branch', ({ git }) => git('switch', '--quiet', '--detach'), /from main/],
  ['a change', ({ path }) => writeFileSync(join(path, 'package.json'), '{}'), /not committed:\n M package\.json/],
  ['a new file', ({ path }) => writeFileSync(join(path, 'new.ts'), ''), /not committed:\n\?\? new\.ts/],
  [
    'an odd version',
    ({ commit }) => commit('package.json', '{"version":"1.2"}'),
    /"1\.2" in package\.json is not a semantic/,
  ],
  [
    'another version in the lock file',
    ({ commit }) => commit('package.json', '{"version":"0.1.1"}'),
    /run npm install/,
  ],
  ['no entry', ({ commit }) => commit('CHANGELOG.md', CHANGELOG.replace('- one', '')), /no entries under/],
  [
    'a version of before',
    ({ commit }) => commit('CHANGELOG.md', `${CHANGELOG}\n## 0.2.0 - 2026-02-01\n`),
    /has 0\.2\.0/,
  ],
  ['its tag', ({ git }) => git('tag', 'v0.2.0'), /tag v0\.2\.0 already/],
])('%s', async (_, spoil, words) => {
  const { refusal, ...rest } = await repository()
  await spoil({ refusal, ...rest })
  expect(await refusal('0.2.0')).toMatch(words)
})

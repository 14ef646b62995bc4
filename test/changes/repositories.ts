/** Real repositories for the tests of what was changed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { takeBaseline, type Baseline } from '../../src/changes/baseline.ts'
import type { FileChange } from '../../src/tools/diff/change.ts'
import { collectChanges, type CollectedChanges, type ChangeSources } from '../../src/changes/collect.ts'
import { openRepository, type Repository } from '../../src/changes/repository.ts'
import { COMMITTER } from '../helpers/committer.ts'

export type Folder = {
  path: string
  env: NodeJS.ProcessEnv
  put: (files: Record<string, string | Buffer>) => void
  git: Git
}
type Git = (...args: string[]) => string

const AS = [...COMMITTER, '-c', 'protocol.file.allow=always']

/** A folder with a home of its own above it. */
export function makeFolder(): Folder {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-git-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const path = join(home, 'project')
  mkdirSync(path)
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const git: Git = (...args) =>
    execFileSync('git', [...AS, ...args], { cwd: path, env, encoding: 'utf8', stdio: 'pipe' })
  return {
    path,
    env,
    git,
    put(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        writeFileSync(join(path, name), text)
      }
    },
  }
}

export function makeRepository(files: Record<string, string | Buffer> = {}): Folder {
  const folder = makeFolder()
  folder.git('init', '-q')
  folder.put(files)
  if (Object.keys(files).length === 0) return folder
  folder.git('add', '-A')
  folder.git('commit', '-qm', 'one')
  return folder
}

export type Begun = {
  repository: Repository
  baseline: Baseline
  collect: (more?: Partial<ChangeSources>) => Promise<CollectedChanges>
}

export async function opened(folder: Folder, path = folder.path): Promise<Repository> {
  const answer = await openRepository({
    folder: path,
    env: folder.env,
    signal: new AbortController().signal,
    limit: 20_000,
  })
  if (!answer.ok) throw new Error(`${answer.why} ${answer.words}`)
  return answer.value
}

/** A session begins here. */
export async function begin(folder: Folder, path = folder.path, since = Number.POSITIVE_INFINITY): Promise<Begun> {
  const repository = await opened(folder, path)
  const taken = await takeBaseline(repository, since)
  if (!taken.ok) throw new Error(`${taken.why} ${taken.words}`)
  const git = { repository, baseline: taken.value }
  const rest = { folder: path, called: new Map(), befores: new Map(), startedAt: 0 }
  return { ...git, collect: more => collectChanges({ ...rest, git, ...more }) }
}

/** `M a.txt +1 -2`, as few words as say it. */
export const inShort = (changes: readonly FileChange[]): string[] =>
  changes.map(({ kind, form, path, from, added, removed, isEstimate }) =>
    [
      kind === 'changed' ? '' : kind,
      form === 'text' ? '' : form,
      from === null ? path : `${from} > ${path}`,
      isEstimate ? 'about' : '',
      added === null ? '' : `+${added} -${removed}`,
    ]
      .filter(part => part !== '')
      .join(' '),
  )

/** The lines that differ in one file of the list. */
export async function linesOf({ list, diffOf }: CollectedChanges, path: string): Promise<string[]> {
  const change = [...list.session, ...list.before].find(each => each.path === path)
  if (!change)
    throw new Error(`${path} is not among ${[...list.session, ...list.before].map(each => each.path).join(', ')}`)
  const { hunks, notes } = await diffOf(change)
  const lines = hunks.flatMap(hunk =>
    hunk.lines.filter(({ sign }) => sign !== ' ').map(({ sign, text }) => sign + text),
  )
  return [...notes, ...lines]
}

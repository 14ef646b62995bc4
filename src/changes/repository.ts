/** A repository as far as its changes are concerned. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { FileDiff } from '../tools/diff/change.ts'
import { parseListing, type Listed } from './listing.ts'
import { readPatch } from './patch.ts'
import { createGit, withoutFilters, type AskGit, type GitAnswer, type GitOptions } from './run-git.ts'

type No = Exclude<GitAnswer, { ok: true }>
export type GitQuestion<Value> = { ok: true; value: Value } | No

export type Repository = {
  /** Its topmost folder, absolute. */
  top: string
  /** The commit that is checked out; null where there is none yet. */
  head: () => Promise<GitQuestion<string | null>>
  /** What differs from a commit, null for nothing at all, in all that git follows; renamed files as two where not wanted. */
  changedSince: (commit: string | null, findsRenames?: boolean) => Promise<GitQuestion<Listed[]>>
  /** Files in the person's folder that git does not follow and is not told to ignore, from the top. */
  untracked: () => Promise<GitQuestion<string[]>>
  /** Those of some paths that git does not follow, ignored ones too. */
  unfollowed: (paths: readonly string[]) => Promise<GitQuestion<string[]>>
  /** The lines that changed. */
  diff: (commit: string | null, paths: readonly string[]) => Promise<GitQuestion<FileDiff>>
}

/** In one form, whatever the settings say. */
const DIFF = [
  '-c',
  'diff.relative=false',
  '-c',
  'diff.suppressBlankEmpty=false',
  '-c',
  'diff.interHunkContext=0',
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '-O/dev/null',
]
/** Names on one command line. */
const MOST_NAMES = 200
/** Bytes of one file's difference. */
const MOST_OF_ONE = 48 * 1024 * 1024

/** The repository that a folder is in. */
export async function openRepository(options: GitOptions): Promise<GitQuestion<Repository>> {
  const folder = await realpath(options.folder).catch(() => options.folder)
  // Where there is none, no program has to be started to know it.
  if (!isBelowGit(folder)) return { ok: false, why: 'failed', words: 'not a git repository' }
  const found = await (await createGit({ ...options, folder }))(['rev-parse', '--show-toplevel'])
  if (!found.ok) return found
  const top = resolve(found.bytes.toString().replace(/\r?\n$/, ''))
  // From the top all paths are those that git tells.
  const git = await withoutFilters(await createGit({ ...options, folder: top }))
  return { ok: true, value: repository(git, top, relative(top, folder).replaceAll(sep, '/')) }
}

function isBelowGit(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return true
    if (dirname(current) === current) return false
  }
}

function repository(git: AskGit, top: string, prefix: string): Repository {
  let nothing: Promise<GitQuestion<string>> | null = null

  /** What there was before the first commit. */
  function emptyTree(): Promise<GitQuestion<string>> {
    nothing ??= git(['hash-object', '-t', 'tree', '--stdin']).then(answer => said(answer, text => text.trim()))
    return nothing
  }

  async function compared<Value>(
    commit: string | null,
    args: readonly string[],
    paths: readonly string[],
    read: (bytes: Buffer) => Value,
  ): Promise<GitQuestion<Value>> {
    const base = commit === null ? await emptyTree() : ({ ok: true, value: commit } as const)
    if (!base.ok) return base
    const answer = await git([...DIFF, ...args, base.value, '--', ...paths], MOST_OF_ONE)
    return answer.ok ? { ok: true, value: read(answer.bytes) } : answer
  }

  return {
    top,
    async head() {
      const answer = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
      if (!answer.ok && answer.why === 'failed' && answer.words === '') return { ok: true, value: null }
      return said(answer, text => text.trim())
    },
    changedSince: (commit, findsRenames = true) =>
      compared(commit, ['--raw', '--numstat', '-z', findsRenames ? '--find-renames' : '--no-renames'], [], bytes =>
        parseListing(bytes.toString()),
      ),
    async untracked() {
      const where = prefix === '' ? [] : ['--', prefix]
      return said(await git(['ls-files', '-z', '--others', '--exclude-standard', ...where]), fields)
    },
    async unfollowed(paths) {
      const found: string[] = []
      for (let at = 0; at < paths.length; at += MOST_NAMES) {
        const some = paths.slice(at, at + MOST_NAMES)
        const answer = await git(['ls-files', '-z', '--others', '--', ...some])
        if (!answer.ok) return answer
        found.push(...fields(answer.bytes.toString()))
      }
      return { ok: true, value: found }
    },
    diff: (commit, paths) => compared(commit, ['--patch', '--unified=3', '--find-renames'], paths, readPatch),
  }
}

function said<Value>(answer: GitAnswer, read: (text: string) => Value): GitQuestion<Value> {
  return answer.ok ? { ok: true, value: read(answer.bytes.toString()) } : answer
}

const fields = (text: string): string[] => text.split('\0').filter(field => field !== '')

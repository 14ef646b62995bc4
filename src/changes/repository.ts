/** Questions to git about the changes in a repository. */
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { here, type ProjectFiles } from '../platform/project-files.ts'
import type { FileDiff } from '../tools/diff/change.ts'
import { maybeTouched, parseListing, type GitListedFile } from './git-listing.ts'
import { patchHead, readPatch, splitPatches } from './patch.ts'
import { createGit, withoutFilters, type AskGit, type GitAnswer, type GitOptions } from './run-git.ts'

type No = Exclude<GitAnswer, { ok: true }>
export type GitQuestion<Value> = { ok: true; value: Value } | No

export type Repository = {
  /** Its topmost folder, absolute. */
  top: string
  files: ProjectFiles
  /** The commit that is checked out; null if there is none yet. */
  head: () => Promise<GitQuestion<string | null>>
  /** The commit of a branch, tag or other name; null if there is none. The name must be no option. */
  commitOf: (rev: string) => Promise<GitQuestion<string | null>>
  /** The last commit that a commit shares with the one that is checked out; null if there is none. */
  mergeBase: (commit: string) => Promise<GitQuestion<string | null>>
  /** At most so many names of branches and tags, the last changed first. Names with invisible or unusual characters are left out. */
  branches: (most: number) => Promise<GitQuestion<string[]>>
  /** The address of a remote; null if there is none. */
  remoteUrl: (name: string) => Promise<GitQuestion<string | null>>
  /** The tracked files that differ from a commit, or from an empty tree for null; optionally without detecting renames. */
  changedSince: (commit: string | null, findsRenames?: boolean) => Promise<GitQuestion<GitListedFile[]>>
  /** Untracked files in the user's folder that are not ignored, as paths from the top. */
  untracked: () => Promise<GitQuestion<string[]>>
  /** The untracked ones among some paths, including ignored ones. */
  unfollowed: (paths: readonly string[]) => Promise<GitQuestion<string[]>>
  /** The lines in which the files differ from those in the index. */
  diffFromIndex: (paths: readonly string[]) => Promise<GitQuestion<FileDiff>>
  /** The lines that changed. */
  diff: (commit: string | null, paths: readonly string[]) => Promise<GitQuestion<FileDiff>>
  /** Those of several files in one question, each given by its path, or by the two of a rename; null for one that must be asked for alone. */
  diffs: (commit: string | null, files: readonly (readonly string[])[]) => Promise<GitQuestion<(FileDiff | null)[]>>
}

/** Options that fix the format, whatever git's settings say. */
const DIFF = [
  '-c',
  'diff.relative=false',
  '-c',
  'diff.suppressBlankEmpty=false',
  '-c',
  'diff.interHunkContext=0',
  // Otherwise git writes the index if files were touched, in spite of GIT_OPTIONAL_LOCKS. The agent's git could find it locked.
  '-c',
  'diff.autoRefreshIndex=false',
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
const PATCH = ['--patch', '--unified=3', '--find-renames']
/** Names on one command line. */
const MOST_NAMES = 200
/** Bytes of one file's diff. */
const MOST_OF_ONE = 48 * 1024 * 1024

/** The repository that a folder is in. */
export async function openRepository(options: GitOptions): Promise<GitQuestion<Repository>> {
  const { remote } = options
  const files = remote?.files ?? here
  const folder = await files.realPath(options.folder).catch(() => options.folder)
  // Without a repository, git need not be started.
  if (!remote && !isBelowGit(folder)) return { ok: false, why: 'none', words: '' }
  const found = await (await createGit({ ...options, folder }))(['rev-parse', '--show-toplevel'])
  if (!found.ok) return found
  const top = resolve(found.bytes.toString().replace(/\r?\n$/, ''))
  // At the top, git's paths need no conversion.
  const git = await withoutFilters(await createGit({ ...options, folder: top }))
  return { ok: true, value: { ...repository(git, top, relative(top, folder).replaceAll(sep, '/')), files } }
}

function isBelowGit(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return true
    if (dirname(current) === current) return false
  }
}

function repository(git: AskGit, top: string, prefix: string): Omit<Repository, 'files'> {
  let nothing: Promise<GitQuestion<string>> | null = null

  /** The empty tree, which stands for the time before the first commit. */
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

  /** The files whose content is still this object. Without an answer, none is. */
  async function unchanged(objects: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
    const same = new Set<string>()
    const paths = [...objects.keys()]
    for (let at = 0; at < paths.length; at += MOST_NAMES) {
      const some = paths.slice(at, at + MOST_NAMES)
      const answer = await git(['hash-object', '--', ...some])
      const hashes = answer.ok ? answer.bytes.toString().split('\n') : []
      for (const [index, path] of some.entries()) {
        if (hashes[index]?.startsWith(objects.get(path) ?? '-') === true) same.add(path)
      }
    }
    return same
  }

  return {
    top,
    async head() {
      const answer = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
      if (!answer.ok && answer.why === 'failed' && answer.words === '') return { ok: true, value: null }
      return said(answer, text => text.trim())
    },
    commitOf: async rev => found(await git(['rev-parse', '--verify', '--quiet', `${rev}^{commit}`])),
    mergeBase: async commit => found(await git(['merge-base', 'HEAD', commit])),
    async branches(most) {
      const places = ['refs/heads', 'refs/tags', 'refs/remotes']
      const args = ['for-each-ref', '--format=%(refname)', '--sort=-creatordate', `--count=${most}`, ...places]
      return said(await git(args), text => text.split('\n').flatMap(nameOfRef))
    },
    remoteUrl: async name => found(await git(['config', '--get', `remote.${name}.url`])),
    async changedSince(commit, findsRenames = true) {
      const renames = findsRenames ? '--find-renames' : '--no-renames'
      const listed = await compared(commit, ['--raw', '--numstat', '-z', renames], [], bytes => bytes.toString())
      if (!listed.ok) return listed
      const found = parseListing(listed.value)
      const same = await unchanged(maybeTouched(listed.value, found))
      return { ok: true, value: found.filter(({ path }) => !same.has(path)) }
    },
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
    diff: (commit, paths) => compared(commit, PATCH, paths, readPatch),
    diffs: (commit, files) =>
      compared(commit, PATCH, files.flat(), bytes => {
        const patches = splitPatches(bytes)
        return files.map(([first = '', last = first]) => {
          const patch = patches.get(patchHead(first, last))
          return patch ? readPatch(patch) : null
        })
      }),
    diffFromIndex: async paths => {
      const answer = await git([...DIFF, '--patch', '--unified=3', '--', ...paths], MOST_OF_ONE)
      return answer.ok ? { ok: true, value: readPatch(answer.bytes) } : answer
    },
  }
}

/** What git prints; null if it only says by its exit code that there is none. */
function found(answer: GitAnswer): GitQuestion<string | null> {
  if (answer.ok) return { ok: true, value: answer.bytes.toString().trim() }
  const isNone = answer.why === 'failed' && (answer.words === '' || NO_SUCH.test(answer.words))
  return isNone ? { ok: true, value: null } : answer
}

/** What git says about a name, or a part of one, that names no commit. */
const NO_SUCH =
  /^(?:fatal|error): (?:Not a valid object name|ambiguous argument|no upstream configured|HEAD does not point|log for|object [0-9a-f]+ is a|no such branch)/i

/** The name of a branch or tag as people type it. */
function nameOfRef(ref: string): string[] {
  const name = ref.replace(/^refs\/(?:heads|tags|remotes)\//, '')
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/+@#=-]*$/u.test(name) && !name.endsWith('/HEAD') ? [name] : []
}

function said<Value>(answer: GitAnswer, read: (text: string) => Value): GitQuestion<Value> {
  return answer.ok ? { ok: true, value: read(answer.bytes.toString()) } : answer
}

const fields = (text: string): string[] => text.split('\0').filter(field => field !== '')

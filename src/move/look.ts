/** Looks at the repository that a folder is in: what would go along, and what could not. Changes nothing. */
import { posix } from 'node:path'
import type { AskGit } from '../changes/run-git.ts'
import { isOwnTree } from '../platform/git/repository.ts'
import { isWithin, pathWithin } from '../platform/within.ts'
import { answerFrom, fieldsFrom, lineFrom, MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'

export type MoveLook = {
  /** The topmost folder of the working tree, without links. */
  top: string
  /** The folder's path from there; '' for itself. */
  prefix: string
  gitDir: string
  index: string
  /** `sha1` or `sha256`. */
  format: string
  /** Null if a commit is checked out without a branch. */
  branch: string | null
  head: string
  /** Tracked files that differ from the last commit, and new ones. */
  changed: number
  fresh: number
  /** Files that git ignores, a folder of them as one. They do not go. */
  ignored: number
  /** Paths. Their content does not go. */
  submodules: readonly string[]
  /** Files that a program of git's changes, such as those of git LFS. */
  filtered: number
}

/** The marks of something that was begun and not finished. */
const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  BISECT_LOG: 'a bisect',
}

/** @throws MoveProblem for a folder from which nothing can be carried. */
export async function lookAt(side: MoveSide, folder: string): Promise<MoveLook> {
  const where = side.name
  const own = await side.real(folder)
  const first = await side.git(own)
  const parts = 'rev-parse --path-format=absolute --show-toplevel --git-dir --git-path index --is-shallow-repository'
  const answer = await lineFrom(first, [...parts.split(' '), '--show-object-format'], where)
  const [top = '', gitDir = '', index = '', shallow, format = '', ...more] = answer.split('\n')
  const prefix = pathWithin(top, own)
  if (more.length > 0 || prefix === null) throw new MoveProblem(`the repository${on(where)} has an unusual place`)
  const isOwn = await isOwnTree(async (at, args, variables) => (await side.git(at, variables))(args), own)
  // A setting of the project could redirect us to files that are not the project's.
  if (!isOwn) throw new MoveProblem(`the repository's settings${on(where)} say that its files are in another folder`)
  if (isWithin(top, side.home)) throw new MoveProblem(`the home folder${on(where)} is the repository`)
  if (shallow === 'true')
    throw new MoveProblem(`the repository${on(where)} is shallow: it lacks a part of its history`, UNSHALLOW)
  const git = top === own ? first : await side.git(top)
  await refuseUnfinished(side, git, gitDir)
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (!head.ok) throw new MoveProblem(`the repository${on(where)} has no commit yet`)
  const branch = await git(['symbolic-ref', '--quiet', 'HEAD'])
  // The short form of git has more words in it where a tag has the same name.
  const [, name = null] = /^refs\/heads\/(.+)$/.exec(branch.ok ? branch.bytes.toString().trim() : '') ?? []
  if (name?.startsWith('-')) throw new MoveProblem(`the branch ${name}${on(where)} has the name of a flag`)
  return {
    top,
    prefix: prefix.split('\\').join(posix.sep),
    gitDir,
    index,
    format,
    branch: name,
    head: head.bytes.toString().trim(),
    ...(await countsOf(git, where)),
  }
}

const UNSHALLOW = 'git fetch --unshallow brings the rest.'

const on = (where: string): string => (where === '' ? '' : ` on ${where}`)

async function refuseUnfinished(side: MoveSide, git: AskGit, gitDir: string): Promise<void> {
  const names = new Set(await side.names(gitDir))
  const found = Object.entries(UNFINISHED).find(([name]) => names.has(name))?.[1]
  const unmerged = await fieldsFrom(git, ['ls-files', '-z', '--unmerged'], side.name)
  const busy = found ?? (unmerged.length > 0 ? 'a merge' : null)
  if (busy !== null) throw new MoveProblem(`${busy} is in progress${on(side.name)}: finish or abort it first`)
}

/** Git is not asked about what is in submodules: it would run what their settings name. */
const STATUS = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all']

async function countsOf(
  git: AskGit,
  where: string,
): Promise<Pick<MoveLook, 'changed' | 'fresh' | 'ignored' | 'submodules' | 'filtered'>> {
  const rows = await fieldsFrom(git, ['status', ...STATUS, '--ignored=matching'], where)
  const ignored = rows.filter(row => row.startsWith('!!')).length
  const fresh = rows.filter(row => row.startsWith('??')).length
  const entries = await fieldsFrom(git, ['ls-files', '-z', '--stage'], where)
  const submodules = entries.flatMap(entry => /^160000 [\da-f]+ \d\t([^]+)$/.exec(entry)?.[1] ?? [])
  const names = entries.flatMap(entry => /^100\d+ [\da-f]+ \d\t([^]+)$/.exec(entry)?.[1] ?? [])
  const input = Buffer.from(names.map(name => `${name}\0`).join(''))
  const checked =
    names.length === 0
      ? []
      : (await answerFrom(git, ['check-attr', '-z', '--stdin', 'filter'], where, input)).toString().split('\0')
  const filtered = checked.filter((value, at) => at % 3 === 2 && value !== 'unspecified' && value !== 'unset').length
  return { changed: rows.length - ignored - fresh, fresh, ignored, submodules, filtered }
}

/** Whether nothing in the working tree differs from the last commit. */
export const isCleanLook = ({ changed, fresh }: Pick<MoveLook, 'changed' | 'fresh'>): boolean => changed + fresh === 0

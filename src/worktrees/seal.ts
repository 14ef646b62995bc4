/**
 * The content of a worktree as a commit: its last commit, or one more with what the agent left uncommitted. Making it
 * changes nothing in the worktree; `keepSeal` makes it the last commit of the branch.
 */
import { existsSync } from 'node:fs'
import { copyFile, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '../platform/shell/temporary-folder.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { openGit, type WorktreeGit } from './git.ts'
import { unfinishedWork } from './in-progress.ts'
import { NO_REPOSITORY, WorktreeProblem } from './problem.ts'
import { headOf } from './project.ts'
import type { Worktree } from './record.ts'

export type Seal = {
  git: WorktreeGit
  /** The last commit of the worktree. */
  tip: string
  /** The commit with all of its content; the same if nothing is uncommitted. */
  commit: string
  tree: string
}

/** Characters of a prompt in the first line of a message. */
const LONGEST = 72

/** @throws WorktreeProblem, and what the system throws. */
export async function sealOf(worktree: Worktree, env: NodeJS.ProcessEnv): Promise<Seal> {
  const git = await openWorktree(worktree, env)
  const busy = await unfinishedWork(git)
  if (busy !== null)
    throw new WorktreeProblem(`${busy} is in progress in the worktree: the agent has to finish it first`)
  const tip = await headOf(git)
  if (tip === null) throw new WorktreeProblem(`its branch ${worktree.branch} is gone`)
  const tree = await contentOf(worktree, git, env)
  if (tree === (await git.line(['rev-parse', `${tip}^{tree}`]))) return { git, tip, commit: tip, tree }
  const nested = await nestedRepositories(git, tip, tree)
  if (nested[0] !== undefined)
    throw new WorktreeProblem(`${nested[0]} in the worktree is a separate repository, whose files would be missing`)
  const commit = await makeCommit(git, env, { tree, parents: [tip], message: messageFor(worktree.prompt) })
  return { git, tip, commit, tree }
}

/** The git of a worktree that is there. @throws WorktreeProblem */
export async function openWorktree({ folder }: Pick<Worktree, 'folder'>, env: NodeJS.ProcessEnv): Promise<WorktreeGit> {
  if (!existsSync(folder)) throw new WorktreeProblem(`the folder ${folder} is gone`)
  if (!existsSync(join(folder, '.git'))) throw new WorktreeProblem(NO_REPOSITORY)
  return openGit(folder, env)
}

/** Makes the sealed commit the branch's last. False, without a change, if another branch or commit is checked out. */
export async function keepSeal({ git, tip, commit }: Seal, branch: string): Promise<boolean> {
  const head = await git.ask(['symbolic-ref', '--quiet', 'HEAD'])
  if (!head.ok || head.bytes.toString().trim() !== `refs/heads/${branch}`) return false
  if ((await headOf(git)) !== tip) return false
  if (commit !== tip) await git.get(['reset', '--quiet', '--mixed', commit, '--'])
  return true
}

export type CommitParts = { tree: string; parents: readonly string[]; message: string }

/** Makes a commit in the name of the user. No branch has it yet. */
export async function makeCommit(
  git: WorktreeGit,
  env: NodeJS.ProcessEnv,
  { tree, parents, message }: CommitParts,
): Promise<string> {
  const { line } = await withAuthor(git, env)
  const from = parents.flatMap(parent => ['-p', parent])
  return line(['commit-tree', '--no-gpg-sign', tree, ...from, '-F', '-'], Buffer.from(message))
}

/** The same git; if it does not know the user's name, one that commits as zotui. */
export async function withAuthor(git: WorktreeGit, env: NodeJS.ProcessEnv): Promise<WorktreeGit> {
  const isKnown = (await git.ask(['var', 'GIT_COMMITTER_IDENT'])).ok && (await git.ask(['var', 'GIT_AUTHOR_IDENT'])).ok
  return isKnown ? git : openGit(git.folder, env, NOBODY)
}

const NOBODY = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap(who => [
    [`GIT_${who}_NAME`, 'zotui'],
    [`GIT_${who}_EMAIL`, 'zotui@localhost'],
  ]),
)

/** All files of the worktree as a tree, ignored ones left out. Its own index stays as it is. */
async function contentOf({ folder }: Worktree, git: WorktreeGit, env: NodeJS.ProcessEnv): Promise<string> {
  const index = await git.line(['rev-parse', '--path-format=absolute', '--git-path', 'index'])
  const own = makeTemporaryFolder(dirname(folder))
  try {
    const copy = join(own.path, 'index')
    // The index lists the files that have not changed.
    if (existsSync(index)) await copyWithTimes(index, copy)
    const copied = await openGit(folder, env, { GIT_INDEX_FILE: copy })
    await copied.get(['add', '--all', '--no-ignore-errors'])
    return await copied.line(['write-tree'])
  } finally {
    own.remove()
  }
}

/** A copy as old as the original: git reads files again that are as new as its index. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from)
  await copyFile(from, to)
  await utimes(to, atime, mtime)
}

/** Repositories that were made in the worktree: git would keep their commit and not their files. */
async function nestedRepositories(git: WorktreeGit, tip: string, tree: string): Promise<string[]> {
  const fields = await git.fields(['diff-tree', '-r', '-z', '--raw', '--no-renames', tip, tree])
  return fields.flatMap((field, at) => (/^:(?!160000)\d+ 160000 /.test(field) ? [fields[at + 1] ?? ''] : []))
}

/** A short subject in whole words, and below it the prompt if the subject does not say all of it. */
export function messageFor(prompt: string): string {
  const text = sanitize(prompt).trim()
  const line = oneLine(sanitize(text.split(/\n/)[0] ?? '')).trim()
  if (line === '') return 'Changes of an agent\n'
  const cut = line.slice(0, LONGEST)
  const words = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.slice(0, LONGEST - 1)
  const subject = line.length > LONGEST ? `${words.trimEnd()}…` : line
  return subject === text ? `${subject}\n` : `${subject}\n\n${text}\n`
}

/** Creates a worktree: a folder below the state folder, on a branch of its own. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../platform/errors.ts'
import { makeFolder } from '../platform/folders.ts'
import { realPath } from '../platform/real-path.ts'
import { isWithin } from '../platform/within.ts'
import type { WorktreeGit } from './git.ts'
import { WorktreeProblem } from './problem.ts'
import { headOf, openProject, uncommitted } from './project.ts'
import { recordPath, workFolder, worktreesFolder, writeRecord, type Worktree } from './record.ts'

export type CreateOptions = { stateFolder: string; env: NodeJS.ProcessEnv; now: () => number }

export type WorktreeTask = {
  folder: string
  prompt: string
  /** What its branch is named after; the prompt by default. */
  name?: string
}

export type CreatedWorktree = {
  worktree: Worktree
  /** The folder to work in: that of the worktree that corresponds to the user's. */
  folder: string
  /** The number of uncommitted changes of the user's that are not in it. */
  left: number
}

/** Names that are tried. */
const MOST_NAMES = 1000

/** @throws WorktreeProblem, and what the system throws. */
export async function createWorktree(
  task: WorktreeTask,
  { stateFolder, env, now }: CreateOptions,
): Promise<CreatedWorktree> {
  const { git, top, prefix } = await openProject(task.folder, env)
  if (isWithin(top, realPath(stateFolder))) throw new WorktreeProblem("zotui's own folder is in the repository")
  const base = await headOf(git)
  if (base === null) throw new WorktreeProblem('the repository has no commit yet, and a worktree needs one')
  const left = (await uncommitted(git, 'normal')).length
  const parent = worktreesFolder(stateFolder, top)
  makeFolder(parent)
  const { name, branch } = await claimName(git, parent, slugOf(task.name ?? task.prompt))
  const facts = { project: top, from: join(top, prefix), branch, base, prompt: task.prompt, at: now() }
  const worktree: Worktree = { folder: join(parent, name), ...facts }
  try {
    writeRecord(worktree)
    await git.get(['worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', worktree.folder, base])
  } catch (error) {
    await removeUnfinished(git, worktree)
    throw error
  }
  return { worktree, folder: workFolder(worktree), left }
}

/** Makes an empty folder of a name that no other worktree and no branch has. */
async function claimName(git: WorktreeGit, parent: string, slug: string): Promise<{ name: string; branch: string }> {
  const refs = (await git.get(['for-each-ref', '--format=%(refname)', 'refs/heads'])).toString().split('\n')
  const isTaken = refs.includes('refs/heads/zotui')
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const name = `${slug}-${number}`
    const branch = branchNamed(name, isTaken)
    const ref = `refs/heads/${branch}`
    // A branch below this name also prevents it.
    if (refs.some(each => each === ref || each.startsWith(`${ref}/`))) continue
    if (!existsSync(recordPath(join(parent, name))) && madeFolder(join(parent, name))) return { name, branch }
  }
  throw new WorktreeProblem(`there are too many worktrees named ${slug}`)
}

/** Whether the folder is new: of two programs that make it at once, one gets it. */
function madeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeUnfinished(git: WorktreeGit, { folder, branch, base }: Worktree): Promise<void> {
  await git.ask(['worktree', 'remove', '--force', '--force', '--', folder])
  // Only a branch that nothing was committed to is ours to delete unasked.
  await git.ask(['update-ref', '-d', `refs/heads/${branch}`, base])
  rmSync(folder, { recursive: true, force: true })
  rmSync(recordPath(folder), { force: true })
}

/** The most characters of a prompt in a name. */
const LONGEST_SLUG = 32

/** The beginning of a prompt as a name: small letters, digits and dashes, whole words where there are several. */
export function slugOf(prompt: string): string {
  const words = prompt
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z\d]+/)
    .filter(word => word !== '')
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`
    if (longer.length > LONGEST_SLUG) break
    slug = longer
  }
  return slug === '' ? (words[0]?.slice(0, LONGEST_SLUG) ?? 'task') : slug
}

/** The branch with a name. If `zotui` itself is a branch (`isTaken`), git allows no branch below it. */
const branchNamed = (name: string, isTaken: boolean): string => (isTaken ? `zotui-${name}` : `zotui/${name}`)

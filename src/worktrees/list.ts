/** The worktrees of a project, each with its state. */
import { existsSync } from 'node:fs'
import type { CreateOptions } from './create.ts'
import { headOf, openProject, uncommitted } from './project.ts'
import { worktreeAt, worktreesOf, type Worktree } from './record.ts'
import { openWorktree } from './seal.ts'
import { isUsed } from './use.ts'

export type ListedWorktree = {
  worktree: Worktree
  /** Whether its folder is there. */
  isThere: boolean
  /** Whether a conversation works in it, in any zotui. */
  isUsed: boolean
  /** The commits that the user's branch does not have, and the uncommitted files; null if git does not know. */
  ahead: number | null
  uncommitted: number | null
}

/** Newest first. `folder` may be in a worktree of the project. @throws WorktreeProblem, and what the system throws. */
export async function listWorktrees(
  folder: string,
  { stateFolder, env, now }: CreateOptions,
): Promise<ListedWorktree[]> {
  const project = worktreeAt(stateFolder, folder)?.project ?? (await openProject(folder, env)).top
  const head = await openProject(project, env)
    .then(({ git }) => headOf(git))
    .catch(() => null)
  const found: ListedWorktree[] = []
  for (const worktree of worktreesOf(stateFolder, project)) {
    const facts = { worktree, isThere: existsSync(worktree.folder), isUsed: isUsed(worktree, now()) }
    found.push({ ...facts, ...(await stateOf(worktree, head, env)) })
  }
  return found
}

async function stateOf(
  worktree: Worktree,
  head: string | null,
  env: NodeJS.ProcessEnv,
): Promise<Pick<ListedWorktree, 'ahead' | 'uncommitted'>> {
  try {
    const git = await openWorktree(worktree, env)
    const count = head === null ? null : await git.line(['rev-list', '--count', `${head}..HEAD`])
    return { ahead: count === null ? null : Number(count), uncommitted: (await uncommitted(git, 'all')).length }
  } catch {
    // It is gone, or no worktree any more.
    return { ahead: null, uncommitted: null }
  }
}

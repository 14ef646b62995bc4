/** Throws a worktree away, and says before what would be lost. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { WorktreeGit } from './git.ts'
import { openProject, uncommitted } from './project.ts'
import { recordPath, type Worktree } from './record.ts'
import { openWorktree } from './seal.ts'

export type WorktreeLoss = {
  /** The commits that no other branch or tag has; null if git cannot tell. */
  commits: number | null
  /** The uncommitted files; null if git cannot tell. */
  files: number | null
}

/** Never rejects. */
export async function lossOf(worktree: Worktree, env: NodeJS.ProcessEnv): Promise<WorktreeLoss> {
  const [git, own] = await Promise.all([
    openProject(worktree.project, env).then(
      project => project.git,
      () => null,
    ),
    openWorktree(worktree, env).catch(() => null),
  ])
  const tip = own && (await lineOrNull(own, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))
  const branch = `refs/heads/${worktree.branch}`
  const ref = git && (await lineOrNull(git, ['rev-parse', '--verify', '--quiet', `${branch}^{commit}`]))
  const tips = [tip, ref].filter(each => each !== null)
  const form = ['rev-list', '--count', ...tips, '--not', '--single-worktree', `--exclude=${branch}`, '--all']
  const count = git && (tips.length === 0 ? '0' : await lineOrNull(git, form))
  const files = own && (await uncommitted(own, 'all').catch(() => null))
  const isGone = !existsSync(worktree.folder)
  return { commits: count === null ? null : Number(count), files: isGone ? 0 : (files?.length ?? null) }
}

/**
 * Removes the folder, the branch and the record. Resolves to why the branch stays, null if it does not.
 *
 * @throws what the system throws.
 */
export async function discardWorktree(worktree: Worktree, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { folder, branch, project } = worktree
  const found = await openProject(project, env).catch(() => null)
  const remove = ['worktree', 'remove', '--force', '--force', '--', folder]
  const removed = await found?.git.ask(remove)
  if (existsSync(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  // Git forgets a worktree whose folder is gone, even if it did not want to remove it.
  if (removed?.ok === false) await found?.git.ask(remove)
  const ref = found && (await found.git.ask(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]))
  const deleted = ref?.ok ? await found?.git.ask(['branch', '-D', '--quiet', '--', branch]) : null
  await rm(recordPath(folder), { force: true })
  return deleted?.ok === false ? deleted.words.replace(/^error: /, '') : null
}

async function lineOrNull(git: WorktreeGit, args: readonly string[]): Promise<string | null> {
  const answer = await git.ask(args)
  return answer.ok ? answer.bytes.toString().trim() : null
}

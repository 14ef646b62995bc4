/** Discards a worktree, and says beforehand what would be lost. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openGit, type WorktreeGit } from './git.ts'
import { openProject } from './project.ts'
import { intentPath } from './half-taken.ts'
import { recordPath, type Worktree } from './record.ts'
import { openWorktree } from './seal.ts'

export type WorktreeLoss = {
  /** The commits that no other branch or tag has, and in submodules those that no remote has; null if git does not know. */
  commits: number | null
  /** The uncommitted files, also those in submodules; null if git does not know. */
  files: number | null
  /** The files that git ignores, a folder of them as one; null if git does not know. */
  ignored: number | null
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
  // Somebody has deleted the branch, and nobody knows which commits it had.
  const isCut = own !== null && tip === null
  const count = isCut ? null : git && (tips.length === 0 ? '0' : await lineOrNull(git, form))
  const unsaved = existsSync(worktree.folder) ? own && (await unsavedIn(own, env).catch(() => null)) : NOTHING
  const { files, ignored } = unsaved ?? { files: null, ignored: null }
  return { commits: count === null || !unsaved ? null : Number(count) + unsaved.commits, files, ignored }
}

/** Whether nothing would be lost, as far as git knows. */
export const isNothing = ({ commits, files, ignored }: WorktreeLoss): boolean =>
  commits === 0 && files === 0 && ignored === 0

type Unsaved = { commits: number; files: number; ignored: number }

const NOTHING: Unsaved = { commits: 0, files: 0, ignored: 0 }

/**
 * The files that no commit has, here and in the submodules that are checked out. Git is asked in each of them: from above it would run the
 * programs that their settings name. `commits` are only those of submodules. @throws WorktreeProblem
 */
async function unsavedIn(git: WorktreeGit, env: NodeJS.ProcessEnv): Promise<Unsaved> {
  const form = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching']
  const rows = await git.fields(['status', ...form, '--ignore-submodules=dirty'])
  const ignored = rows.filter(row => row.startsWith('!!')).length
  const found = { commits: 0, files: rows.length - ignored, ignored }
  const entries = await git.fields(['ls-files', '-z', '--stage'])
  for (const folder of entries.flatMap(entry => submoduleOf(entry) ?? []).map(path => join(git.folder, path))) {
    if (!existsSync(join(folder, '.git'))) continue
    const below = await openGit(folder, env)
    const inside = await unsavedIn(below, env)
    const own = Number(await below.line(['rev-list', '--count', '--all', 'HEAD', '--not', '--remotes', '--tags']))
    found.commits += inside.commits + own
    found.files += inside.files
    found.ignored += inside.ignored
  }
  return found
}

const submoduleOf = (entry: string): string | undefined => /^160000 [\da-f]+ \d\t([^]+)$/.exec(entry)?.[1]

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
  // Git forgets a worktree whose folder is gone, even if it refused to remove it.
  if (removed?.ok === false) await found?.git.ask(remove)
  const ref = found && (await found.git.ask(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]))
  const deleted = ref?.ok ? await found?.git.ask(['branch', '-D', '--quiet', '--', branch]) : null
  await rm(intentPath({ folder }), { force: true })
  await rm(recordPath(folder), { force: true })
  return deleted?.ok === false ? deleted.words.replace(/^error: /, '') : null
}

async function lineOrNull(git: WorktreeGit, args: readonly string[]): Promise<string | null> {
  const answer = await git.ask(args)
  return answer.ok ? answer.bytes.toString().trim() : null
}

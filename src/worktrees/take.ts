/** Takes a worktree into the user's folder: all of it, or nothing. */
import { openGit } from './git.ts'
import { wholly } from './half-taken.ts'
import { planFor, type WorktreePlan, type TakePreview } from './preview.ts'
import { problemOf, WorktreeProblem } from './problem.ts'
import { writeRecord, type Worktree } from './record.ts'
import { keepSeal, makeCommit, withAuthor } from './seal.ts'

export type TakenWorktree = {
  /** The user's new commit; null if nothing was committed. */
  commit: string | null
  /** The user's commit before the worktree was taken. */
  before: string
  /** Why the worktree did not follow to the new commit; null if it did, or stays on purpose. */
  behind: string | null
}

/** Does what a preview without conflicts says, if it still holds. @throws WorktreeProblem, and what the system throws. */
export async function takeWorktree(
  worktree: Worktree,
  preview: TakePreview,
  env: NodeJS.ProcessEnv,
): Promise<TakenWorktree> {
  const plan = await freshPlan(worktree, preview, env)
  if (plan.conflicts.length > 0) throw new WorktreeProblem('there are conflicts')
  const { git } = plan.project
  if (plan.way === 'pick') {
    await git.ask(REFRESH)
    await wholly(worktree, git, plan, () => git.get(['read-tree', '-m', '-u', plan.onto, plan.tree]))
    return { commit: null, before: plan.onto, behind: null }
  }
  const parents = [plan.onto, plan.seal.commit]
  const commit =
    plan.rebasedTip ?? (await makeCommit(git, env, { tree: plan.tree, parents, message: messageOf(worktree) }))
  const named = await openGit(git.folder, env, { GIT_REFLOG_ACTION: `zotui ${plan.way} ${worktree.branch}` })
  const forward = ['merge', '--ff-only', '--no-overwrite-ignore', ...CALM, commit]
  await wholly(worktree, git, plan, () => named.get(forward))
  return { commit, before: plan.onto, behind: await follow(worktree, plan, commit) }
}

/**
 * Begins a merge with conflicts in the user's folder, whose tracked files must all be committed: then `git merge --abort` brings back
 * exactly what was there.
 *
 * @throws WorktreeProblem, and what the system throws.
 */
export async function beginMerge(worktree: Worktree, preview: TakePreview, env: NodeJS.ProcessEnv): Promise<void> {
  const plan = await freshPlan(worktree, preview, env)
  const { project, seal } = plan
  if (!plan.isClean) throw new WorktreeProblem('you have uncommitted changes: commit or stash them first')
  await keepSeal(seal, worktree.branch)
  const message = messageOf(worktree)
  const form = ['--no-ff', '--no-commit', '--no-edit', '--no-gpg-sign', ...CALM, '-m', message]
  const git = await withAuthor(project.git, env)
  const conflicts = plan.conflicts.filter(path => plan.files.every(file => file.path !== path))
  const files = [...plan.files, ...conflicts.map(path => ({ path, kind: 'changed' as const }))]
  await wholly(worktree, git, { ...plan, files }, async () => {
    const answer = await git.ask(['merge', ...form, seal.commit])
    if (answer.ok || (await git.ask(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])).ok) return
    throw problemOf(answer)
  })
}

/** Git compares the times of files first, which may be newer than those in its index. */
const REFRESH = ['update-index', '-q', '--refresh']

const CALM = ['--no-autostash', '--no-verify-signatures', '--no-stat', '--quiet']

const messageOf = ({ branch }: Worktree): string => `Merge branch '${branch}'\n`

/** The rest of a preview follows from these. */
const mark = ({ into, onto, content }: TakePreview): string => [into, onto, content].join(' ')

async function freshPlan(worktree: Worktree, preview: TakePreview, env: NodeJS.ProcessEnv): Promise<WorktreePlan> {
  const plan = await planFor(worktree, preview.way, env)
  if (mark(plan) !== mark(preview)) throw new WorktreeProblem('something has changed since the preview')
  if (plan.overlap.length > 0) throw new WorktreeProblem(`you have uncommitted changes in ${plan.overlap.join(', ')}`)
  return plan
}

/** The worktree continues from the user's new commit, which has all of it. */
async function follow(worktree: Worktree, { seal }: WorktreePlan, commit: string): Promise<string | null> {
  try {
    if (!(await keepSeal(seal, worktree.branch))) return `${worktree.branch} has changed meanwhile`
    await seal.git.ask(REFRESH)
    await seal.git.get(['reset', '--quiet', '--keep', commit, '--'])
    writeRecord({ ...worktree, base: commit })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

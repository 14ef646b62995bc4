/** The user's own folder that worktrees begin at and are taken into. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realPath } from '../platform/real-path.ts'
import { isWithin, pathWithin } from '../platform/within.ts'
import { openGit, type WorktreeGit } from './git.ts'
import { NO_REPOSITORY, problemOf, WorktreeProblem } from './problem.ts'

export type WorktreeProject = {
  git: WorktreeGit
  /** The topmost folder of the working tree. Absolute, without links. */
  top: string
  /** The folder's path from there, with slashes; '' for itself. */
  prefix: string
}

/** Opens the repository that a folder is in. @throws WorktreeProblem */
export async function openProject(folder: string, env: NodeJS.ProcessEnv): Promise<WorktreeProject> {
  const own = realPath(folder)
  if (!existsSync(own)) throw new WorktreeProblem(`the folder ${own} is gone`)
  const nearest = nearestRepository(own)
  const first = await openGit(own, env)
  const top = realPath(await first.line(['rev-parse', '--show-toplevel']))
  const prefix = pathWithin(top, own)
  if (prefix === null || nearest === null) throw new WorktreeProblem(NO_REPOSITORY)
  // Otherwise a setting of the project could redirect zotui to files that are not the project's.
  if (nearest !== top) throw new WorktreeProblem("the repository's settings say that its files are in another folder")
  // A repository in the home folder tracks a few files of it, not everything below.
  const home = env['HOME']
  if (home && isWithin(top, realPath(home))) throw new WorktreeProblem('your home folder is the repository')
  return { git: top === own ? first : await openGit(top, env), top, prefix }
}

function nearestRepository(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current
    if (dirname(current) === current) return null
  }
}

/** The commit that is checked out; null if there is none yet. @throws WorktreeProblem */
export async function headOf({ ask }: WorktreeGit): Promise<string | null> {
  const answer = await ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (answer.ok) return answer.bytes.toString().trim()
  if (answer.why === 'failed' && answer.words === '') return null
  throw problemOf(answer)
}

/**
 * The paths from the top that differ from the commit, with untracked files one by one or a folder of them as one.
 *
 * @throws WorktreeProblem
 */
export async function uncommitted(git: WorktreeGit, untracked: 'normal' | 'all'): Promise<string[]> {
  const form = ['--porcelain=v1', '-z', '--no-renames', `--untracked-files=${untracked}`, '--ignore-submodules=dirty']
  const rows = await git.fields(['status', ...form])
  return rows.map(row => row.slice(3))
}

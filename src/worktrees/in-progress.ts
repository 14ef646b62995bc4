/** A merge, rebase or the like that somebody has begun and not finished. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorktreeGit } from './git.ts'

const MARKS: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  BISECT_LOG: 'a bisect',
}

/** Its name; null if there is none. @throws WorktreeProblem */
export async function unfinishedWork(git: WorktreeGit): Promise<string | null> {
  const folder = await git.line(['rev-parse', '--absolute-git-dir'])
  const found = Object.entries(MARKS).find(([name]) => existsSync(join(folder, name)))
  if (found) return found[1]
  return (await git.fields(['ls-files', '-z', '--unmerged'])).length > 0 ? 'a merge' : null
}

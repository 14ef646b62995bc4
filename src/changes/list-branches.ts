import { openRepository } from './repository.ts'
import type { GitOptions } from './run-git.ts'

/** More names than anybody looks through; typing narrows them. */
const MOST = 300
/** In milliseconds. */
const LIMIT = 5000

/** The branches and tags of a folder's repository; none if git does not answer. Never rejects. */
export async function listBranches({
  folder,
  env,
  remote,
}: Pick<GitOptions, 'folder' | 'env' | 'remote'>): Promise<string[]> {
  const repository = await openRepository({ folder, env, remote, limit: LIMIT })
  const branches = repository.ok ? await repository.value.branches(MOST) : repository
  return branches.ok ? branches.value : []
}

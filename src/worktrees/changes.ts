/** The changes of a worktree since its base, committed or not. */
import { collectChanges, type CollectedChanges } from '../changes/collect.ts'
import { reasonOf } from '../changes/git-part.ts'
import { openRepository } from '../changes/repository.ts'
import type { Worktree } from './record.ts'

/** Milliseconds of one question to git. */
const LIMIT = 30_000

/** Never rejects. */
export async function changesOf({ folder, base }: Worktree, env: NodeJS.ProcessEnv): Promise<CollectedChanges> {
  const { signal } = new AbortController()
  const repository = await openRepository({ folder, env, signal, limit: LIMIT })
  const nothing = { called: new Map(), befores: new Map(), startedAt: 0 }
  if (!repository.ok) {
    const none = await collectChanges({ folder, git: null, ...nothing })
    return { ...none, list: { ...none.list, notes: [reasonOf(repository)] } }
  }
  const baseline = { top: repository.value.top, head: base, dirty: new Map(), late: [] }
  return collectChanges({ folder, git: { repository: repository.value, baseline }, ...nothing })
}

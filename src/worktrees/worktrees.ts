/** The git worktrees that conversations work in. */
import { join } from 'node:path'
import { collectChanges, type CollectedChanges } from '../changes/collect.ts'
import { messageOf } from '../platform/errors.ts'
import { openOwnWrites } from '../storage/journal/own-writes.ts'
import { createWorktree, type CreatedWorktree, type CreateOptions, type WorktreeTask } from './create.ts'
import { discardWorktree, lossOf, type WorktreeLoss } from './discard.ts'
import { planFor, previewOf, type TakePreview, type TakingWay } from './preview.ts'
import { listWorktrees, type ListedWorktree } from './list.ts'
import { WorktreeProblem } from './problem.ts'
import type { BroughtFiles } from './setup/bring-files.ts'
import { openProject, uncommitted } from './project.ts'
import { worktreeAt, type Worktree } from './record.ts'
import { beginMerge, takeWorktree, type TakenWorktree } from './take.ts'
import { isUsed, useWorktree } from './use.ts'
import { reasonOf } from '../changes/git-part.ts'
import { openRepository } from '../changes/repository.ts'

/** `why` completes a sentence: `There is no worktree: ...`. */
export type WorktreeAnswer<Value> = { ok: true; value: Value } | { ok: false; why: string }

/** Nothing here rejects. */
export type Worktrees = {
  /** Whether the repository of a folder has uncommitted changes. */
  isDirty: (folder: string) => Promise<WorktreeAnswer<boolean>>
  /** Creates a worktree at the commit that is checked out in the repository of `folder`. */
  create: (task: WorktreeTask) => Promise<WorktreeAnswer<CreatedWorktree>>
  /** Copies the files that the patterns name and that git ignores into a new worktree. */
  bring: (worktree: Worktree, patterns: readonly string[]) => Promise<WorktreeAnswer<BroughtFiles>>
  /** The worktree that a folder is in; null if it is in none. */
  at: (folder: string) => Worktree | null
  /** Its changes since its base. */
  changes: (worktree: Worktree) => Promise<CollectedChanges>
  /** The effect of taking it, found without changing a file. */
  preview: (worktree: Worktree, way: TakingWay) => Promise<WorktreeAnswer<TakePreview>>
  /** Does what the preview says, if it still holds. */
  take: (worktree: Worktree, preview: TakePreview) => Promise<WorktreeAnswer<TakenWorktree>>
  /** Begins a merge with conflicts in the user's folder. */
  beginMerge: (worktree: Worktree, preview: TakePreview) => Promise<WorktreeAnswer<void>>
  loss: (worktree: Worktree) => Promise<WorktreeLoss>
  /** The worktrees of a folder's project, the newest first. */
  list: (folder: string) => Promise<WorktreeAnswer<readonly ListedWorktree[]>>
  /** Marks a folder's worktree, if it is in one, as used by a conversation. Call the result when the conversation has ended. */
  use: (folder: string) => () => void
  /** Removes the folder and the branch, if no conversation works there; the value is why the branch stays, null if it does not. */
  discard: (worktree: Worktree) => Promise<WorktreeAnswer<string | null>>
}

export function createWorktrees(options: CreateOptions): Worktrees {
  const { stateFolder, env, now } = options
  const ownWrites = openOwnWrites({ stateFolder, now })
  /** The files of the user's folder that taking a worktree writes. */
  const writing = async <Value>(
    worktree: Worktree,
    { files, conflicts }: TakePreview,
    work: () => Promise<Value>,
  ): Promise<Value> => {
    const { top } = await openProject(worktree.project, env)
    const paths = [...files.map(({ path }) => path), ...conflicts]
    return ownWrites.during(
      'merge',
      paths.map(path => join(top, path)),
      work,
    )
  }
  return {
    isDirty: folder =>
      answered(async () => (await uncommitted((await openProject(folder, env)).git, 'normal')).length > 0),
    create: task => answered(() => createWorktree(task, options)),
    bring: (worktree, patterns) =>
      answered(async () => (await import('./setup/bring-files.ts')).bringFiles(worktree, patterns, { env })),
    at: folder => worktreeAt(stateFolder, folder),
    changes: worktree => changesOf(worktree, env),
    preview: (worktree, way) => answered(async () => previewOf(await planFor(worktree, way, env))),
    take: (worktree, preview) => answered(() => writing(worktree, preview, () => takeWorktree(worktree, preview, env))),
    beginMerge: (worktree, preview) =>
      answered(() => writing(worktree, preview, () => beginMerge(worktree, preview, env))),
    loss: worktree => lossOf(worktree, env),
    list: folder => answered(() => listWorktrees(folder, options)),
    use(folder) {
      const worktree = worktreeAt(stateFolder, folder)
      return worktree ? useWorktree(worktree) : () => undefined
    },
    discard: worktree =>
      answered(async () => {
        if (isUsed(worktree, options.now())) throw new WorktreeProblem('a conversation is still working there')
        return discardWorktree(worktree, env)
      }),
  }
}

async function answered<Value>(work: () => Promise<Value>): Promise<WorktreeAnswer<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, why: messageOf(error) }
  }
}

/** Milliseconds of one question to git. */
const GIT_LIMIT = 30_000

/** The changes since the base of the worktree, committed or not. Never rejects. */
async function changesOf({ folder, base }: Worktree, env: NodeJS.ProcessEnv): Promise<CollectedChanges> {
  const { signal } = new AbortController()
  const repository = await openRepository({ folder, env, signal, limit: GIT_LIMIT })
  const nothing = { called: new Map(), befores: new Map(), startedAt: 0 }
  if (!repository.ok) {
    const none = await collectChanges({ folder, git: null, ...nothing })
    return { ...none, list: { ...none.list, notes: [reasonOf(repository)] } }
  }
  const baseline = { top: repository.value.top, head: base, dirty: new Map(), late: [], isChosen: true as const }
  return collectChanges({ folder, git: { repository: repository.value, baseline }, ...nothing })
}

/**
 * Brings a folder back from another machine: into the person's own folder if nothing has changed here meanwhile, or else as a branch in a
 * worktree of its own. Nothing of the person's is overwritten.
 */
import { join } from 'node:path'
import { lookAt, type MoveLook } from './look.ts'
import { filesBetweenTrees, sealAt, type MovePack, type MoveSeal } from './pack.ts'
import { answerFrom, lineFrom, MoveProblem, problemFrom } from './problem.ts'
import type { MoveRecord } from './record.ts'
import type { MoveSide } from './side.ts'

type ChangedFile = { path: string; kind: 'new' | 'changed' | 'deleted' }

export type BringPlan =
  /** Here everything is as it was: the files become what they are there. */
  | { way: 'into'; look: MoveLook; seal: MoveSeal; files: readonly ChangedFile[] }
  /** Why not, as the end of a sentence. `commits`: how many are new. */
  | { way: 'worktree'; why: string }

/** Adds what a bundle here has to the repository. @throws MoveProblem */
export async function takeIn(
  here: MoveSide,
  { top, ref }: { top: string; ref: string },
  { commit, tree, hash }: MovePack,
  bundle: string | null,
): Promise<void> {
  const git = await here.git(top)
  if (bundle !== null) {
    const found = await lineFrom(git, ['hash-object', '--no-filters', '--', bundle], here.name)
    if (found !== hash) throw new MoveProblem('the bundle has changed on its way')
    await answerFrom(git, ['bundle', 'unbundle', bundle], here.name)
  }
  if ((await lineFrom(git, ['rev-parse', '--verify', `${commit}^{tree}`], here.name)) !== tree)
    throw new MoveProblem('the commit has other files than those that were packed')
  // Git throws away what no reference has.
  await answerFrom(git, ['update-ref', ref, commit], here.name)
}

/** What bringing it back would do. Changes nothing. @throws MoveProblem */
export async function planBringing(
  here: MoveSide,
  record: MoveRecord,
  pack: MovePack,
  temporary: string,
): Promise<BringPlan> {
  const look = await lookAt(here, record.folder)
  const seal = await sealAt(here, look, temporary)
  const git = await here.git(look.top)
  if (look.top !== record.top) return { way: 'worktree', why: 'another repository is in its place' }
  if (look.head !== record.head || look.branch !== record.branch)
    return { way: 'worktree', why: 'another commit is checked out here now' }
  if (seal.tree !== record.tree) return { way: 'worktree', why: 'files have changed here meanwhile' }
  const isAhead = (await git(['merge-base', '--is-ancestor', record.head, pack.head])).ok
  if (!isAhead) return { way: 'worktree', why: 'the commits of then were changed there' }
  const listed = await filesBetweenTrees(here, look.top, seal.tree, pack.tree)
  const files = listed.map(({ path, status }): ChangedFile => {
    return { path, kind: status === 'A' ? 'new' : status === 'D' ? 'deleted' : 'changed' }
  })
  for (const { path, kind } of files) {
    const isTaken = kind === 'new' && (await here.kind(join(look.top, path))) !== 'nothing'
    if (isTaken) return { way: 'worktree', why: `there is an ignored ${path} here` }
  }
  return { way: 'into', look, seal, files }
}

/** Carries out a plan for the person's own folder, if it still holds. Resolves to how it is undone: to whether that worked. @throws MoveProblem */
export async function bringInto(
  here: MoveSide,
  record: MoveRecord,
  pack: MovePack,
  { shown, temporary }: { shown: Extract<BringPlan, { way: 'into' }>; temporary: string },
): Promise<() => Promise<boolean>> {
  const plan = await planBringing(here, record, pack, temporary)
  if (plan.way !== 'into') throw new MoveProblem(`${plan.why}, since you were asked`)
  if (plan.seal.tree !== shown.seal.tree) throw new MoveProblem('files have changed here since you were asked')
  const { top } = plan.look
  // The index of the seal lists every file as it is now, so that git leaves alone whatever has changed.
  const own = await here.git(top, { GIT_INDEX_FILE: join(temporary, 'index') })
  const written = await own(['read-tree', '-m', '-u', plan.seal.tree, pack.tree])
  if (!written.ok) {
    await takeBackPart(here, plan, pack, temporary)
    throw problemFrom(written, here.name)
  }
  const git = await here.git(top)
  await answerFrom(git, ['reset', '--quiet', '--mixed', pack.head, '--'], here.name)
  return async () => takeBackAll(here, plan, pack, temporary)
}

/** Undoes it, unless something has changed since. */
async function takeBackAll(
  here: MoveSide,
  { look, seal }: Extract<BringPlan, { way: 'into' }>,
  pack: MovePack,
  temporary: string,
): Promise<boolean> {
  const now = await lookAt(here, look.top)
  const { tree } = await sealAt(here, now, temporary)
  if (now.head !== pack.head || tree !== pack.tree) return false
  const own = await here.git(look.top, { GIT_INDEX_FILE: join(temporary, 'index') })
  await answerFrom(own, ['read-tree', '-m', '-u', pack.tree, seal.tree], here.name)
  const git = await here.git(look.top)
  return (await git(['reset', '--quiet', '--mixed', look.head, '--'])).ok
}

/** Takes back what git has written before it failed, as when the disk is full. A file that is neither of the two stays. Never rejects. */
async function takeBackPart(
  here: MoveSide,
  { look, seal, files }: Extract<BringPlan, { way: 'into' }>,
  pack: MovePack,
  temporary: string,
): Promise<void> {
  try {
    const now = await sealAt(here, look, temporary)
    const [differing, others] = await Promise.all([
      filesBetweenTrees(here, look.top, seal.tree, now.tree),
      filesBetweenTrees(here, look.top, now.tree, pack.tree),
    ])
    const planned = new Set(files.map(({ path }) => path))
    const unlike = new Set(others.map(({ path }) => path))
    if (differing.some(({ path }) => !planned.has(path) || unlike.has(path))) return
    const git = await here.git(look.top, { GIT_INDEX_FILE: join(temporary, 'index') })
    await git(['read-tree', '-m', '-u', now.tree, seal.tree])
  } catch {
    // The disk is still full: git has all of it in the reference that was kept.
  }
}

/** Fills a new worktree, whose branch begins at some commit of the person's, with the commits and the files. @throws MoveProblem */
export async function bringToWorktree(
  here: MoveSide,
  folder: string,
  pack: MovePack,
): Promise<{ base: string | null }> {
  const git = await here.git(folder)
  const before = await lineFrom(git, ['rev-parse', '--verify', 'HEAD^{commit}'], here.name)
  const common = await git(['merge-base', before, pack.head])
  await answerFrom(git, ['reset', '--quiet', '--keep', pack.commit, '--'], here.name)
  await answerFrom(git, ['reset', '--quiet', '--mixed', pack.head, '--'], here.name)
  return { base: common.ok ? common.bytes.toString().trim() : null }
}

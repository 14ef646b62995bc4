/**
 * Brings a folder back from another machine: into the person's own folder if nothing has changed here meanwhile, or else as a branch in a
 * worktree of its own. Nothing of the person's is overwritten.
 */
import { join, posix } from 'node:path'
import { lookAt, type MoveLook } from './look.ts'
import { filesBetweenTrees, sealAt, type MovePack, type MoveSeal } from './pack.ts'
import { answerFrom, lineFrom, MoveProblem, problemFrom } from './problem.ts'
import { requireCutOff, type MoveRecord } from './record.ts'
import type { MoveSide } from './side.ts'

type ChangedFile = { path: string; kind: 'new' | 'changed' | 'deleted' }

export type BringPlan =
  /** Here everything is as it was: the files become what they are there. */
  | {
      way: 'into'
      look: MoveLook
      seal: MoveSeal
      files: readonly ChangedFile[]
      /** Whether half of a way back that was cut off is there. It becomes whole, or is undone with the rest. */
      isHalf: boolean
    }
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
  const heads = [record.head, ...(record.bringing?.isWorktree === false ? [record.bringing.head] : [])]
  if (!heads.includes(look.head) || look.branch !== record.branch)
    return { way: 'worktree', why: 'another commit is checked out here now' }
  const isHalf = look.head !== record.head || seal.tree !== record.tree
  if (isHalf && !(await isOfCutOff(here, record, look, seal)))
    return { way: 'worktree', why: 'files have changed here meanwhile' }
  const isAhead = (await git(['merge-base', '--is-ancestor', record.head, pack.head])).ok
  if (!isAhead) return { way: 'worktree', why: 'the commits of then were changed there' }
  const inTheWay = await ignoredInTheWay(here, look.top, await changesBetween(here, look.top, seal.tree, pack.tree))
  if (inTheWay !== null) return { way: 'worktree', why: `there is an ignored ${inTheWay} here` }
  const files = await changesBetween(here, look.top, record.tree, pack.tree)
  return { way: 'into', look, seal, files, isHalf }
}

async function changesBetween(here: MoveSide, top: string, before: string, after: string): Promise<ChangedFile[]> {
  const listed = await filesBetweenTrees(here, top, before, after)
  return listed.map(({ path, status }) => {
    return { path, kind: status === 'A' ? 'new' : status === 'D' ? 'deleted' : 'changed' }
  })
}

/** Whether each file here is as it was, or as a way back that was cut off made it. @throws MoveProblem if that one still runs. */
async function isOfCutOff(
  here: MoveSide,
  { bringing, tree }: MoveRecord,
  { top }: MoveLook,
  seal: MoveSeal,
): Promise<boolean> {
  if (bringing === null || bringing.isWorktree) return false
  requireCutOff(bringing)
  const [differing, others] = await Promise.all([
    filesBetweenTrees(here, top, tree, seal.tree),
    filesBetweenTrees(here, top, seal.tree, bringing.tree),
  ])
  const unlike = new Set(others.map(({ path }) => path))
  return differing.every(({ path }) => !unlike.has(path))
}

/** What git would remove without a word for a new file: what is in its place, or in that of a folder of it. Null for nothing. */
async function ignoredInTheWay(here: MoveSide, top: string, files: readonly ChangedFile[]): Promise<string | null> {
  const known = new Set(files.flatMap(({ path, kind }) => (kind === 'new' ? [] : [path])))
  const folders = new Set<string>()
  for (const { path, kind } of files) {
    if (kind !== 'new') continue
    if ((await here.kind(join(top, path))) !== 'nothing') return path
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at)) folders.add(at)
  }
  for (const folder of folders) {
    const at = join(top, folder)
    // Git has what it tracks, and removes no more than that.
    if (known.has(folder)) continue
    const kind = await here.kind(at)
    if (kind === 'other' || (kind !== 'nothing' && (await here.real(at)) !== at)) return folder
  }
  return null
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
    await takeBackPart(here, record, plan, { pack, temporary })
    throw problemFrom(written, here.name)
  }
  const git = await here.git(top)
  await answerFrom(git, ['reset', '--quiet', '--mixed', pack.head, '--'], here.name)
  return async () => takeBackAll(here, record, { pack, temporary })
}

/** Undoes it, unless something has changed since. */
async function takeBackAll(
  here: MoveSide,
  record: MoveRecord,
  { pack, temporary }: { pack: MovePack; temporary: string },
): Promise<boolean> {
  const now = await lookAt(here, record.top)
  const { tree } = await sealAt(here, now, temporary)
  if (now.head !== pack.head || tree !== pack.tree) return false
  const own = await here.git(record.top, { GIT_INDEX_FILE: join(temporary, 'index') })
  await answerFrom(own, ['read-tree', '-m', '-u', pack.tree, record.tree], here.name)
  const git = await here.git(record.top)
  return (await git(['reset', '--quiet', '--mixed', record.head, '--'])).ok
}

/** Takes back what git has written before it failed, as when the disk is full. A file that is neither of the two stays. Never rejects. */
async function takeBackPart(
  here: MoveSide,
  record: MoveRecord,
  { look, files }: Extract<BringPlan, { way: 'into' }>,
  { pack, temporary }: { pack: MovePack; temporary: string },
): Promise<void> {
  try {
    const now = await sealAt(here, look, temporary)
    const [differing, others] = await Promise.all([
      filesBetweenTrees(here, look.top, record.tree, now.tree),
      filesBetweenTrees(here, look.top, now.tree, pack.tree),
    ])
    const planned = new Set(files.map(({ path }) => path))
    const unlike = new Set(others.map(({ path }) => path))
    if (differing.some(({ path }) => !planned.has(path) || unlike.has(path))) return
    const git = await here.git(look.top, { GIT_INDEX_FILE: join(temporary, 'index') })
    await git(['read-tree', '-m', '-u', now.tree, record.tree])
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

/** Previews the effect of taking a worktree into the user's folder, without changing a file but what a killed take has left in part. */
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseListing } from '../changes/git-listing.ts'
import type { WorktreeGit } from './git.ts'
import { unfinishedWork } from './in-progress.ts'
import { takeBackLeft } from './half-taken.ts'
import { mergeTrees, rebased } from './merging.ts'
import { WorktreeProblem } from './problem.ts'
import { headOf, openProject, uncommitted, type WorktreeProject } from './project.ts'
import type { Worktree } from './record.ts'
import { sealOf, type Seal } from './seal.ts'

/** `pick` brings the changes into the user's files and commits nothing. */
export type TakingWay = 'merge' | 'rebase' | 'pick'

type TakenFile = {
  /** From the top of the repository. */
  path: string
  kind: 'new' | 'changed' | 'deleted'
  /** Lines; null for a binary file. */
  added: number | null
  removed: number | null
}

export type TakePreview = {
  way: TakingWay
  /** The user's branch; null if none is checked out. */
  into: string | null
  /** The user's commit. */
  onto: string
  /** The tree of git with the content of the worktree. */
  content: string
  /** The files as they would be; with conflict markers if there are conflicts. */
  tree: string
  files: readonly TakenFile[]
  conflicts: readonly string[]
  /** Files that the user has changed too and not committed: as long as there is one, nothing is taken. */
  overlap: readonly string[]
  /** Whether the user's tracked files are as they are committed. */
  isClean: boolean
}

/** A preview with the data to carry it out. */
export type WorktreePlan = TakePreview & {
  project: WorktreeProject
  seal: Seal
  /** The last one of the commits that a rebase made. */
  rebasedTip: string | null
}

/** @throws WorktreeProblem, and what the system throws. */
export async function planFor(worktree: Worktree, way: TakingWay, env: NodeJS.ProcessEnv): Promise<WorktreePlan> {
  const project = await openProject(worktree.project, env)
  const { git, top } = project
  const busy = await unfinishedWork(git)
  if (busy !== null) throw new WorktreeProblem(`${busy} is in progress in ${top}: finish or abort it first`)
  const onto = await headOf(git)
  if (onto === null) throw new WorktreeProblem(`${top} has no commit`)
  await takeBackLeft(worktree, git, Date.now())
  const seal = await sealOf(worktree, env)
  if ((await git.ask(['merge-base', '--is-ancestor', seal.commit, onto])).ok)
    throw new WorktreeProblem('your branch already has all of it')
  const outcome =
    way === 'rebase'
      ? await rebased(git, env, onto, seal.commit)
      : { ...(await mergeTrees(git, onto, seal.commit)), tip: null }
  const files = await filesBetween(git, onto, outcome.tree)
  if (files.length === 0 && outcome.conflicts.length === 0)
    throw new WorktreeProblem('your files already have all of its changes')
  const { tip, ...found } = outcome
  return {
    way,
    into: await branchOf(git),
    onto,
    content: seal.tree,
    ...found,
    files,
    overlap: await overlapOf(project, files, new Set(await uncommitted(git, 'all'))),
    isClean: (await git.fields(['status', ...TRACKED])).length === 0,
    project,
    seal,
    rebasedTip: tip,
  }
}

/** In a submodule, git would run the programs that its settings name. */
const TRACKED = ['--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty']

export function previewOf({ project: _project, seal: _seal, rebasedTip: _tip, ...preview }: WorktreePlan): TakePreview {
  return preview
}

/** The branch that is checked out; null if none is. */
async function branchOf(git: WorktreeGit): Promise<string | null> {
  const head = await git.ask(['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return head.ok ? head.bytes.toString().trim() : null
}

async function filesBetween(git: WorktreeGit, before: string, after: string): Promise<TakenFile[]> {
  const form = ['-r', '-z', '--raw', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv']
  const bytes = await git.get(['diff-tree', ...form, before, after])
  return parseListing(bytes.toString()).map(({ path, status, added, removed }) => ({
    path,
    kind: status === 'A' ? 'new' : status === 'D' ? 'deleted' : 'changed',
    added,
    removed,
  }))
}

async function overlapOf(
  { git, top }: WorktreeProject,
  files: readonly TakenFile[],
  dirty: ReadonlySet<string>,
): Promise<string[]> {
  const unseen = await unseenFiles(git)
  const deleted = files.flatMap(({ path, kind }) => (kind === 'deleted' ? [path] : []))
  return files.flatMap(({ path, kind }) => {
    const isChanged = dirty.has(path) || (unseen.has(path) && kindAt(join(top, path)) !== null)
    return isChanged || (kind === 'new' && isTaken(top, path, deleted)) ? [path] : []
  })
}

/** Files that git must not look at, so it does not see that the user has changed them. */
async function unseenFiles(git: WorktreeGit): Promise<Set<string>> {
  const rows = await git.fields(['ls-files', '-z', '-v'])
  return new Set(rows.flatMap(row => (/^[a-zS] /.test(row) ? [row.slice(2)] : [])))
}

/** Whether the user has something, ignored or not, in the place of a new file. */
function isTaken(top: string, path: string, deleted: readonly string[]): boolean {
  const there = kindAt(join(top, path))
  if (there === 'folder') return !deleted.some(each => each.startsWith(`${path}/`))
  if (there !== null) return true
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if (kindAt(join(top, above)) === 'file') return !deleted.includes(above)
  }
  return false
}

function kindAt(path: string): 'file' | 'folder' | null {
  try {
    return lstatSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    // Nothing is there.
    return null
  }
}

/** Reads the files of a project into a tree of its shadow. */
import type { PathFacts } from './disk.ts'
import { seedIndex } from './seed-index.ts'
import { answerOf, fieldsOf, GitFailure, namesOf, type Shadow } from './shadow.ts'

export type SnapshotLimits = {
  /** Bytes of one file that git does not know yet, and of all of them in one checkpoint. */
  mostOfOne: number
  mostOfAll: number
  mostFiles: number
}

export type Snapshot = {
  tree: string
  /** Modes of files that are not those which git keeps, of the files that were read. */
  modes: ReadonlyMap<string, number>
  /** Paths that were read or are gone. */
  changed: readonly string[]
  /** Files that could not be kept: too large, or not readable. */
  left: readonly string[]
}

/** The folder has more than is kept. The message completes a sentence: `Files are not kept: ...`. */
export class TooBig extends Error {}

/** @throws GitFailure, TooBig, and what the system throws. */
export async function takeSnapshot(shadow: Shadow, limits: SnapshotLimits): Promise<Snapshot> {
  if (!(await shadow.disk.exists(shadow.index))) await seedIndex(shadow)
  const listed = await listChanges(shadow)
  const { kept, left, modes, other } = await measure(shadow, listed.fresh, limits)
  const gone = [...listed.gone, ...other]
  if (gone.length > 0) {
    await answerOf(shadow.git(['update-index', '-z', '--force-remove', '--stdin'], undefined, namesOf(gone)))
  }
  const unreadable = kept.length > 0 ? await addFiles(shadow, kept) : []
  // Without the project's objects, so that all trees are our own: the project's may go.
  const tree = (await answerOf(shadow.git(['write-tree', '--missing-ok']))).toString().trim()
  const changed = [...gone, ...kept]
  return { tree, modes, changed, left: [...left, ...unreadable] }
}

type ChangedPaths = { gone: readonly string[]; fresh: readonly string[] }

const LISTING = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard']
/** Bytes of the longest list of files. */
const MOST_LISTED = 64 * 1024 * 1024

async function listChanges(shadow: Shadow): Promise<ChangedPaths> {
  const rows = fieldsOf(await answerOf(shadow.git(LISTING, MOST_LISTED)).catch(reseeded(shadow)))
  const gone = new Set<string>()
  const fresh = new Set<string>()
  for (const row of rows) {
    const path = row.slice(2)
    if (row.startsWith('R ')) gone.add(path)
    // A folder here is a repository of its own.
    else if (!path.endsWith('/')) fresh.add(path)
  }
  // A file that is gone is listed as modified, too.
  return { gone: [...gone], fresh: [...fresh].filter(path => !gone.has(path)) }
}

/** A damaged index is made anew, once. */
function reseeded(shadow: Shadow): (failure: unknown) => Promise<Buffer> {
  return async failure => {
    if (!(failure instanceof GitFailure) || failure.why !== 'failed') throw failure
    await shadow.disk.remove([shadow.index])
    await seedIndex(shadow)
    return answerOf(shadow.git(LISTING, MOST_LISTED))
  }
}

/** The modes that git keeps, as most systems make them. */
const USUAL = new Set([0o644, 0o755, 0o664, 0o775])

const MISSING: PathFacts = { kind: 'other', size: 0, mode: 0 }

async function measure({ project, disk }: Shadow, paths: readonly string[], limits: SnapshotLimits) {
  const kept: string[] = []
  const left: string[] = []
  /** The paths that are no files any more. */
  const other: string[] = []
  const modes = new Map<string, number>()
  let bytes = 0
  if (paths.length > limits.mostFiles) throw new TooBig(`this folder has more than ${limits.mostFiles} files`)
  const facts = await disk.facts(project.root, paths)
  for (const [at, path] of paths.entries()) {
    const { kind, size, mode } = facts[at] ?? MISSING
    if (kind === 'file' && size > limits.mostOfOne) {
      left.push(path)
      continue
    }
    if (kind === 'folder' || kind === 'other') {
      other.push(path)
      continue
    }
    kept.push(path)
    if (kind !== 'file') continue
    bytes += size
    if (!USUAL.has(mode)) modes.set(path, mode)
    if (bytes > limits.mostOfAll) {
      throw new TooBig(`this folder has more than ${Math.floor(limits.mostOfAll / 2 ** 20)} MB of new files`)
    }
  }
  return { kept, left, modes, other }
}

const ADD = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']

/** Returns those that cannot be read: one of them would fail all, as one behind a link would. */
async function addFiles(shadow: Shadow, paths: readonly string[]): Promise<string[]> {
  const answer = await shadow.git(ADD, undefined, namesOf(paths))
  if (answer.ok) return []
  if (answer.why !== 'failed') throw new GitFailure(answer)
  const unreadable: string[] = []
  const behind: string[] = []
  const readable: string[] = []
  const { disk, project } = shadow
  const obstacles = await disk.obstacles(project.root, paths)
  for (const [at, path] of paths.entries()) {
    const lists = { behind, unreadable }
    const obstacle = obstacles[at] ?? null
    const list = obstacle === null ? readable : lists[obstacle]
    list.push(path)
  }
  if (unreadable.length + behind.length === 0) throw new GitFailure(answer)
  // Their kept content is no longer their content.
  const wrong = namesOf([...unreadable, ...behind])
  await answerOf(shadow.git(['update-index', '-z', '--force-remove', '--stdin'], undefined, wrong))
  await answerOf(shadow.git(ADD, undefined, namesOf(readable)))
  return unreadable
}

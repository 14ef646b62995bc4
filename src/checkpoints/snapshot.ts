/** Reads the files of a project into a tree of its shadow. */
import type { PathFacts } from './disk.ts'
import { seedIndex } from './seed-index.ts'
import { answerOf, fieldsOf, GitFailure, isLossy, namesOf, type Shadow } from './shadow.ts'

export type SnapshotLimits = {
  /** Size limits in bytes: of one new file, and of all new files in one checkpoint. */
  mostOfOne: number
  mostOfAll: number
  mostFiles: number
}

export type Snapshot = {
  tree: string
  /** The modes of the files that were read, where git would store another mode. */
  modes: ReadonlyMap<string, number>
  /** Paths that were read or no longer exist. */
  changed: readonly string[]
  /** Files that could not be kept: too large, not readable, or with a name that is not UTF-8. */
  left: readonly string[]
}

/** The folder exceeds the limits. The message completes a sentence: `Files are not kept: ...`. */
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
  const refused = (await refusedOf(shadow, kept)).filter(path => !unreadable.includes(path))
  // Without the project's objects, so that the shadow has all trees itself: the project may delete its own.
  const tree = (await answerOf(shadow.git(['write-tree', '--missing-ok']))).toString().trim()
  const changed = [...gone, ...kept]
  return { tree, modes, changed, left: [...listed.lossy, ...left, ...unreadable, ...refused] }
}

type ChangedPaths = { gone: readonly string[]; fresh: readonly string[]; lossy: readonly string[] }

const LISTING = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard']
/** Bytes of the longest list of files. */
const MOST_LISTED = 64 * 1024 * 1024

async function listChanges(shadow: Shadow): Promise<ChangedPaths> {
  const rows = fieldsOf(await answerOf(shadow.git(LISTING, MOST_LISTED)).catch(reseeded(shadow)))
  const gone = new Set<string>()
  const fresh = new Set<string>()
  const lossy = new Set<string>()
  for (const row of rows) {
    const path = row.slice(2)
    if (isLossy(path)) lossy.add(path)
    else if (row.startsWith('R ')) gone.add(path)
    // A folder in this list is a repository of its own.
    else if (!path.endsWith('/')) fresh.add(path)
  }
  // Git lists a deleted file as modified, too.
  return { gone: [...gone], fresh: [...fresh].filter(path => !gone.has(path)), lossy: [...lossy] }
}

/** A damaged index is rebuilt once. */
function reseeded(shadow: Shadow): (failure: unknown) => Promise<Buffer> {
  return async failure => {
    if (!(failure instanceof GitFailure) || failure.why !== 'failed') throw failure
    await shadow.disk.remove([shadow.index])
    await seedIndex(shadow)
    return answerOf(shadow.git(LISTING, MOST_LISTED))
  }
}

/** The modes that git stores, as most systems create them. */
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

/** Names that may read as `.git` or `.gitmodules` on another system, whatever stands between their letters. */
const LIKE_GIT = /(?:^|\/)\P{L}*g\P{L}*i/iu

/** Those of the paths that git has left out without a word, since another system could take them for a part of a repository. */
async function refusedOf({ git }: Shadow, paths: readonly string[]): Promise<string[]> {
  const doubtful = paths.filter(path => LIKE_GIT.test(path))
  if (doubtful.length === 0) return []
  const added = new Set(fieldsOf(await answerOf(git(['ls-files', '-z'], MOST_LISTED))))
  return doubtful.filter(path => !added.has(path))
}

const ADD = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']

/** Returns the unreadable paths: any of them would make the whole command fail, as would one behind a link. */
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
  // Their stored content is out of date.
  const wrong = namesOf([...unreadable, ...behind])
  await answerOf(shadow.git(['update-index', '-z', '--force-remove', '--stdin'], undefined, wrong))
  await answerOf(shadow.git(ADD, undefined, namesOf(readable)))
  return unreadable
}

/** Reads the files of a project into a tree of its shadow. */
import { constants, existsSync } from 'node:fs'
import { access, lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPace } from '../platform/pace.ts'
import { isBehindLink } from './restore.ts'
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
  /** Whether anything was read: false where the files are as in the checkpoint before. */
  hasChanges: boolean
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
  if (!existsSync(shadow.index)) await seedIndex(shadow)
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
  return { tree, hasChanges: changed.length > 0, modes, changed, left: [...left, ...unreadable] }
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
    await rm(shadow.index, { force: true })
    await seedIndex(shadow)
    return answerOf(shadow.git(LISTING, MOST_LISTED))
  }
}

/** The modes that git keeps, as most systems make them. */
const USUAL = new Set([0o644, 0o755, 0o664, 0o775])

async function measure({ project }: Shadow, paths: readonly string[], limits: SnapshotLimits) {
  const kept: string[] = []
  const left: string[] = []
  /** The paths that are no files any more. */
  const other: string[] = []
  const modes = new Map<string, number>()
  const pace = createPace(5)
  let bytes = 0
  if (paths.length > limits.mostFiles) throw new TooBig(`this folder has more than ${limits.mostFiles} files`)
  for (const path of paths) {
    if (pace.isDue()) await pace.rest()
    const stats = await lstat(join(project.root, path)).catch(() => null)
    if (stats?.isFile() && stats.size > limits.mostOfOne) {
      left.push(path)
      continue
    }
    const isModule = stats?.isDirectory() === true && existsSync(join(project.root, path, '.git'))
    if (!stats?.isFile() && !stats?.isSymbolicLink() && !isModule) {
      other.push(path)
      continue
    }
    kept.push(path)
    if (!stats.isFile()) continue
    bytes += stats.size
    const mode = stats.mode & 0o7777
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
  for (const path of paths) {
    if (await isBehindLink(shadow.project.root, path)) behind.push(path)
    else if (await isReadable(join(shadow.project.root, path))) readable.push(path)
    else unreadable.push(path)
  }
  if (unreadable.length + behind.length === 0) throw new GitFailure(answer)
  // Their kept content is no longer their content.
  const wrong = namesOf([...unreadable, ...behind])
  await answerOf(shadow.git(['update-index', '-z', '--force-remove', '--stdin'], undefined, wrong))
  await answerOf(shadow.git(ADD, undefined, namesOf(readable)))
  return unreadable
}

async function isReadable(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isFile()) return true
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}
